// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace dubito {

/// Mean, diagonal variance and low-rank deviations of the iterates of SGD (Maddox et al. 2019).
class SwagMoments {
 public:
  /// Of vectors of `size` numbers; keeps the last `rank` >= 2 deviations.
  SwagMoments(std::int64_t size, std::int64_t rank);

  /// Adds an iterate. Its deviation is taken from the mean so far, which includes it.
  void add(std::span<const double> iterate);

  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] const std::vector<double>& mean() const { return mean_; }
  /// Population variance of each number.
  [[nodiscard]] std::vector<double> variance() const;
  /// Length of `normals` for draw().
  [[nodiscard]] std::int64_t normalsPerDraw() const { return std::ssize(mean_) + rank_; }
  /// mean + sqrt(variance / 2) z1 + D z2 / sqrt(2 (K - 1)) for K deviations D and standard normals
  /// (z1, z2). Call only for count() >= 2.
  [[nodiscard]] std::vector<double> draw(std::span<const double> normals) const;

 private:
  std::int64_t rank_;
  std::int64_t count_ = 0;
  std::vector<double> mean_;
  std::vector<double> squares_;  ///< sum of squared deviations from the mean
  std::deque<std::vector<double>> deviations_;
};

}  // namespace dubito
