// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace dubito {

struct Run;

/// Per-item arrays of a run in addition to id, label, probabilities and their entropy.
struct RunShape {
  std::int64_t classes = 0;
  std::int64_t draws = 0;  ///< probabilities are averages over this many samples; 0: not averaged
  bool keep_samples = false;
  bool keep_logits = false;
  /// expected entropy and mutual information; runs with draws always store them
  bool splits_entropy = false;
  bool gaussians = false;  ///< mean and variance of the logits
  bool alpha = false;      ///< Dirichlet parameters
  /// honesty gauge: the approximation error of the link; for three classes also its divergence
  bool gauge = false;

  /// Bytes per item of all arrays of such a run.
  [[nodiscard]] std::int64_t bytesPerItem() const;
};

/// A run of this shape with `items` items whose arrays are all zero, without metadata.
[[nodiscard]] Run zeroRun(const RunShape& shape, std::int64_t items);

}  // namespace dubito
