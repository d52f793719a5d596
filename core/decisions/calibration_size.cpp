// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/decisions/calibration_size.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "core/decisions/clopper_pearson.h"

namespace dubito {
namespace {

constexpr std::int64_t kExactUpTo = 5000;
constexpr std::int64_t kStepsPerDoubling = 1000;

/// Number of wrong predictions among the most certain items of a sample of any size.
class ErrorsByRank {
 public:
  explicit ErrorsByRank(std::span<const std::uint8_t> error) : sums_(1, 0) {
    for (const std::uint8_t one : error) {
      sums_.push_back(sums_.back() + (one != 0 ? 1 : 0));
    }
  }

  /// Among the `rank` most certain of `n`.
  [[nodiscard]] std::int64_t at(std::int64_t rank, std::int64_t n) const {
    const auto known = static_cast<std::int64_t>(sums_.size()) - 1;
    if (known == 0) {
      return 0;
    }
    const double place = static_cast<double>(rank * known) / static_cast<double>(n);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sums_.size() - 1);
    const double part = place - static_cast<double>(below);
    const double sum =
        (1.0 - part) * static_cast<double>(sums_[below]) + part * static_cast<double>(sums_[above]);
    // The tolerance keeps whole numbers whole.
    const double scaled = sum * static_cast<double>(n) / static_cast<double>(known);
    return std::min(rank, static_cast<std::int64_t>(std::ceil(scaled - 1e-9)));
  }

 private:
  std::vector<std::int64_t> sums_;
};

/// Whether the binary search of "sgr" accepts any threshold on n such items.
bool findsThreshold(const ErrorsByRank& errors, std::int64_t n, const SelectionOptions& options) {
  const double wanted = 1.0 - options.target;
  const auto rounds = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n - 1)));
  // Until a threshold is accepted, the search only goes down.
  std::int64_t high = n;
  for (int round = 0; round < rounds; ++round) {
    const std::int64_t middle = (1 + high + 1) / 2;
    const std::int64_t wrong = errors.at(middle, n);
    if (static_cast<double>(wrong) <= wanted * static_cast<double>(middle) &&
        clopperPearsonUpper(wrong, middle, 1.0 - options.delta / rounds) <= wanted) {
      return true;
    }
    high = middle;
  }
  return false;
}

}  // namespace

std::optional<std::int64_t> calibrationItemsNeeded(std::span<const std::uint8_t> error,
                                                   const SelectionOptions& options,
                                                   std::int64_t max_items) {
  if (!options.check()) {
    throw std::invalid_argument("calibrationItemsNeeded: options out of range");
  }
  if (options.target >= 1.0) {
    return std::nullopt;
  }
  const ErrorsByRank errors(error);
  // Even without errors, m items bound the error rate by 1 - delta^(1/m) at best.
  const double at_least =
      options.target > 0.0 ? std::log(options.delta) / std::log(options.target) : 1.0;
  std::int64_t n = std::max<std::int64_t>(static_cast<std::int64_t>(error.size()), 2);
  if (at_least > static_cast<double>(n)) {
    n = at_least < static_cast<double>(max_items) ? static_cast<std::int64_t>(at_least)
                                                  : max_items + 1;
  }
  while (n <= max_items) {
    if (findsThreshold(errors, n, options)) {
      return n;
    }
    n += n < kExactUpTo ? 1 : n / kStepsPerDoubling;
  }
  return std::nullopt;
}

}  // namespace dubito
