// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>

namespace dubito {

/// Directions s_j [K - 1, B, K] for the exact expectation over labels from probabilities [B, K] in
/// double: the columns of the Cholesky factor of diag p - p p^T. With q_j = sum_{i >= j} p_i,
/// element j of s_j is sqrt(p_j q_{j+1} / q_j), those before it are 0 and those after it -p_i
/// sqrt(p_j / (q_j q_{j+1})).
[[nodiscard]] at::Tensor labelDirections(const at::Tensor& probs);

/// Stands for a dropout site, of which there is none below 0, in the key of sampled labels.
inline constexpr std::int64_t kLabelSite = -4;

/// An estimate of the same by labels drawn from the probabilities: directions [S, B, K],
/// s = (e_y - p) / sqrt(S). Label number s of an item is where the cumulated probability passes
/// u(w) = (w + 1/2) 2^-32, w the word s % 4 of the Philox block with the key siteKey(seed,
/// kLabelSite) and the counter (s / 4, 0, item id low, item id high): it depends on nothing but the
/// seed, the item and its probabilities. Throws std::invalid_argument for another number of ids.
[[nodiscard]] at::Tensor sampledLabelDirections(const at::Tensor& probs,
                                                std::span<const std::int64_t> item_ids,
                                                std::int64_t samples, std::uint64_t seed);

}  // namespace dubito
