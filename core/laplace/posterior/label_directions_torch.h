// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>

namespace dubito {

/// Directions s_j [K - 1, B, K] for the exact expectation over labels from probabilities [B, K] in
/// double: the columns of the Cholesky factor of diag p - p p^T. With q_j = sum_{i >= j} p_i,
/// element i of s_j is 0 for i < j, sqrt(p_j q_{j+1} / q_j) for i = j, and -p_i sqrt(p_j / (q_j
/// q_{j+1})) for i > j.
[[nodiscard]] at::Tensor labelDirections(const at::Tensor& probs);

/// Reserved site id in the key of sampled labels; real sites are >= 0.
inline constexpr std::int64_t kLabelSite = -4;

/// An estimate of labelDirections() from labels that are drawn from the probabilities: directions
/// s = (e_y - p) / sqrt(S), [S, B, K]. Label number s of an item is the first class at which the
/// cumulative probability exceeds u(w) = (w + 1/2) 2^-32, where w is word s % 4 of the Philox block
/// with key siteKey(seed, kLabelSite) and counter (s / 4, 0, item id low, item id high). It depends
/// only on the seed, the item id and the probabilities of the item. Throws std::invalid_argument
/// for a wrong number of ids.
[[nodiscard]] at::Tensor sampledLabelDirections(const at::Tensor& probs,
                                                std::span<const std::int64_t> item_ids,
                                                std::int64_t samples, std::uint64_t seed);

}  // namespace dubito
