// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/neighbours/nearest_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <stdexcept>

namespace dubito {
namespace {

constexpr std::int64_t kGrain = 4096;
// Independent partial sums, so that none waits for the previous one.
constexpr std::size_t kLanes = 8;

double dot(std::span<const float> a, std::span<const float> b) {
  std::array<double, kLanes> sums{};
  std::size_t q = 0;
  for (; q + kLanes <= a.size(); q += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      sums[lane] += double{a[q + lane]} * double{b[q + lane]};
    }
  }
  double sum = 0.0;
  for (const double lane : sums) {
    sum += lane;
  }
  for (; q < a.size(); ++q) {
    sum += double{a[q]} * double{b[q]};
  }
  return sum;
}

bool isCloser(const Neighbour& a, const Neighbour& b) {
  return a.similarity != b.similarity ? a.similarity > b.similarity : a.id < b.id;
}

/// The closest candidates so far, in order.
class Closest {
 public:
  explicit Closest(std::int64_t count) : count_(static_cast<std::size_t>(count)) {}

  void offer(const Neighbour& candidate) {
    if (found_.size() == count_ && (count_ == 0 || !isCloser(candidate, found_.back()))) {
      return;
    }
    found_.insert(std::ranges::upper_bound(found_, candidate, isCloser), candidate);
    if (found_.size() > count_) {
      found_.pop_back();
    }
  }
  [[nodiscard]] const std::vector<Neighbour>& found() const { return found_; }

 private:
  std::size_t count_;
  std::vector<Neighbour> found_;
};

}  // namespace

double euclideanNorm(std::span<const float> row) {
  return std::sqrt(dot(row, row));
}

Expected<std::vector<Neighbour>> nearestRows(const FeatureTable& table,
                                             std::span<const float> query, std::int64_t count,
                                             std::optional<std::int64_t> left_out,
                                             const RunContext& context,
                                             std::span<const std::uint8_t> candidates) {
  if (static_cast<std::int64_t>(query.size()) != table.features.extent(1) || count < 0 ||
      (!candidates.empty() && candidates.size() != table.indices.size())) {
    throw std::invalid_argument(
        "nearestRows: the query or the candidates have another size, or the count is negative");
  }
  const double length = euclideanNorm(query);
  std::mutex mutex;
  Closest closest(count);
  context.parallelFor(table.features.extent(0), kGrain, [&](std::int64_t begin, std::int64_t end) {
    if (context.cancelRequested()) {
      return;
    }
    Closest of_part(count);
    for (std::int64_t i = begin; i < end; ++i) {
      const auto row = static_cast<std::size_t>(i);
      if (table.indices[row] == left_out || (!candidates.empty() && candidates[row] == 0)) {
        continue;
      }
      const double lengths = length * table.norms[row];
      const double similarity =
          lengths > 0.0 ? std::clamp(dot(query, table.features.row(i)) / lengths, -1.0, 1.0) : 0.0;
      of_part.offer({table.indices[row], table.ids[row], similarity});
    }
    const std::scoped_lock lock(mutex);
    for (const Neighbour& found : of_part.found()) {
      closest.offer(found);
    }
  });
  if (context.cancelRequested()) {
    return cancelled();
  }
  return closest.found();
}

}  // namespace dubito
