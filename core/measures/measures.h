// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dubito {

// Measures of one row over K >= 1 classes. Every function throws std::invalid_argument for an empty
// row.

/// Index of the largest value; ties: the lowest index.
[[nodiscard]] std::int64_t argmax(std::span<const double> row);
[[nodiscard]] std::int64_t argmax(std::span<const float> row);

/// Largest probability of a row.
[[nodiscard]] double confidenceOf(std::span<const double> probs);
[[nodiscard]] double confidenceOf(std::span<const float> probs);

/// Largest minus second largest probability; the probability itself for a single class.
[[nodiscard]] double marginOf(std::span<const double> probs);
[[nodiscard]] double marginOf(std::span<const float> probs);

/// For every element, the sum of all others. Computed without subtracting the element from the
/// total, which would lose small numbers next to a large one.
[[nodiscard]] std::vector<double> sumsOfOthers(std::span<const double> values);

/// log sum exp of a row of logits, without overflow; the sum runs over the sorted row.
[[nodiscard]] double logSumExp(std::span<const double> logits);
[[nodiscard]] double logSumExp(std::span<const float> logits);

/// logits - logSumExp(logits), in double.
[[nodiscard]] std::vector<double> logSoftmax(std::span<const double> logits);
[[nodiscard]] std::vector<double> logSoftmax(std::span<const float> logits);

/// exp(logSoftmax(logits)), in double.
[[nodiscard]] std::vector<double> softmax(std::span<const double> logits);
[[nodiscard]] std::vector<double> softmax(std::span<const float> logits);

/// log(1 - p_k) as the logarithm of the sum of the other entries: accurate even if p_k rounds to 1;
/// -infinity if all others are 0.
[[nodiscard]] double logRest(std::span<const double> probs, std::int64_t k);
[[nodiscard]] double logRest(std::span<const float> probs, std::int64_t k);

/// logRest(softmax(logits), k) for logit gaps of any size; -infinity for a single class.
[[nodiscard]] double logRestOfLogits(std::span<const double> logits, std::int64_t k);
[[nodiscard]] double logRestOfLogits(std::span<const float> logits, std::int64_t k);

/// Measures of softmax(logits) at full accuracy: the probabilities of all classes but the most
/// likely one are summed separately. The sums run over the sorted row.
struct LogitMeasures {
  std::int64_t prediction = 0;  ///< argmax
  double log_rest = 0.0;        ///< logRestOfLogits of the prediction
  double entropy = 0.0;         ///< in [0, log K]; NaN if a logit is NaN or +infinity
};
[[nodiscard]] LogitMeasures measuresOfLogits(std::span<const double> logits);
[[nodiscard]] LogitMeasures measuresOfLogits(std::span<const float> logits);

}  // namespace dubito
