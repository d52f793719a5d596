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

double distanceToSegment(double x, double y, double x0, double y0, double x1, double y1) {
  const double dx = x1 - x0;
  const double dy = y1 - y0;
  const double length_squared = dx * dx + dy * dy;
  double t = 0.0;
  if (length_squared > 0.0) {
    t = std::clamp(((x - x0) * dx + (y - y0) * dy) / length_squared, 0.0, 1.0);
  }
  return std::hypot(x - (x0 + t * dx), y - (y0 + t * dy));
}

Segment segmentBetween(const Curve& curve, std::size_t first, std::size_t last) {
  Segment segment{first, last, first, 0.0};
  for (std::size_t i = first + 1; i < last; ++i) {
    const double distance = distanceToSegment(curve.x[i], curve.y[i], curve.x[first],
                                              curve.y[first], curve.x[last], curve.y[last]);
    if (distance > segment.distance) {
      segment.distance = distance;
      segment.farthest = i;
    }
  }
  return segment;
}

}  // namespace

Curve thinCurve(const Curve& curve, std::size_t max_points) {
  if (curve.x.size() != curve.y.size() || max_points < 2) {
    throw std::invalid_argument("thinCurve: needs as many x as y and max_points >= 2");
  }
  if (curve.x.size() <= 2) {
    return curve;
  }
  std::vector<bool> keep(curve.x.size(), false);
  keep.front() = keep.back() = true;
  std::priority_queue<Segment> segments;
  segments.push(segmentBetween(curve, 0, curve.x.size() - 1));
  for (std::size_t kept = 2; kept < max_points && segments.top().distance > kInvisible; ++kept) {
    const Segment worst = segments.top();
    segments.pop();
    keep[worst.farthest] = true;
    segments.push(segmentBetween(curve, worst.first, worst.farthest));
    segments.push(segmentBetween(curve, worst.farthest, worst.last));
  }
  Curve thinned;
  thinned.name = curve.name;
  thinned.summary = curve.summary;
  for (std::size_t i = 0; i < keep.size(); ++i) {
    if (keep[i]) {
      thinned.x.push_back(curve.x[i]);
      thinned.y.push_back(curve.y[i]);
    }
  }
  return thinned;
}

}  // namespace dubito
