// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dubito {

/// -sum p log p in nats of a row over K >= 1 classes, in [0, log K]; 0 log 0 is 0. NaN if a
/// probability is. The sum does not depend on the order of its terms, so that permutations of a row
/// have exactly the same entropy. Throws std::invalid_argument for an empty row.
[[nodiscard]] double entropyOf(std::span<const double> probs);
[[nodiscard]] double entropyOf(std::span<const float> probs);

/// Computes entropyOf for many rows, reusing its scratch memory.
class EntropyCalculator {
 public:
  [[nodiscard]] double operator()(std::span<const double> probs);
  [[nodiscard]] double operator()(std::span<const float> probs);

  /// Writes the entropies of the rows of `probs` [rows, classes] to `entropies` [rows].
  void ofRows(const double* probs, std::int64_t rows, std::int64_t classes, double* entropies);
  void ofRows(const float* probs, std::int64_t rows, std::int64_t classes, double* entropies);

 private:
  template <class T>
  void compute(const T* probs, std::int64_t rows, std::int64_t classes, double* entropies);

  std::vector<double> terms_;
};

}  // namespace dubito
