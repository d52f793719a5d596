// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/thin_curve.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <stdexcept>
#include <vector>

namespace dubito {
namespace {

// Far below one pixel of a plot with axes from 0 to 1.
constexpr double kInvisible = 1e-5;

/// A segment between two kept points, and the point farthest from it.
struct Segment {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t farthest = 0;
  double distance = 0.0;

  friend bool operator<(const Segment& a, const Segment& b) { return a.distance < b.distance; }
};

double squaredDistanceToSegment(double x, double y, double x0, double y0, double x1, double y1) {
  const double dx = x1 - x0;
  const double dy = y1 - y0;
  const double length_squared = dx * dx + dy * dy;
  double t = 0.0;
  if (length_squared > 0.0) {
    t = std::clamp(((x - x0) * dx + (y - y0) * dy) / length_squared, 0.0, 1.0);
  }
  const double off_x = x - (x0 + t * dx);
  const double off_y = y - (y0 + t * dy);
  return off_x * off_x + off_y * off_y;
}

Segment segmentBetween(std::span<const double> x, std::span<const double> y, std::size_t first,
                       std::size_t last) {
  Segment segment{first, last, first, 0.0};
  double farthest = 0.0;
  for (std::size_t i = first + 1; i < last; ++i) {
    const double distance =
        squaredDistanceToSegment(x[i], y[i], x[first], y[first], x[last], y[last]);
    if (distance > farthest) {
      farthest = distance;
      segment.farthest = i;
    }
  }
  segment.distance = std::sqrt(farthest);
  return segment;
}

}  // namespace

std::vector<std::size_t> thinnedPoints(std::span<const double> x, std::span<const double> y,
                                       std::size_t max_points) {
  if (x.size() != y.size() || max_points < 2) {
    throw std::invalid_argument("thinCurve: needs as many x as y and max_points >= 2");
  }
  std::vector<bool> keep(x.size(), x.size() <= 2);
  if (x.size() > 2) {
    keep.front() = keep.back() = true;
    std::priority_queue<Segment> segments;
    segments.push(segmentBetween(x, y, 0, x.size() - 1));
    for (std::size_t kept = 2; kept < max_points && segments.top().distance > kInvisible; ++kept) {
      const Segment worst = segments.top();
      segments.pop();
      keep[worst.farthest] = true;
      segments.push(segmentBetween(x, y, worst.first, worst.farthest));
      segments.push(segmentBetween(x, y, worst.farthest, worst.last));
    }
  }
  std::vector<std::size_t> points;
  for (std::size_t i = 0; i < keep.size(); ++i) {
    if (keep[i]) {
      points.push_back(i);
    }
  }
  return points;
}

Curve thinCurve(const Curve& curve, std::size_t max_points) {
  Curve thinned;
  thinned.name = curve.name;
  thinned.summary = curve.summary;
  for (const std::size_t i : thinnedPoints(curve.x, curve.y, max_points)) {
    thinned.x.push_back(curve.x[i]);
    thinned.y.push_back(curve.y[i]);
  }
  return thinned;
}

}  // namespace dubito
