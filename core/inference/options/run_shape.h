// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/models/model.h"

namespace dubito {

/// Per-item arrays of a run in addition to id, label, probabilities and their entropy.
struct RunShape {
  std::int64_t classes = 0;
  std::int64_t draws = 0;  ///< probabilities are averages over this many samples; 0: not averaged
  bool keep_samples = false;
  bool keep_logits = false;
  bool splits_entropy = false;  ///< expected entropy and mutual information; always with draws
  bool gaussians = false;       ///< mean and variance of the logits
  bool alpha = false;           ///< Dirichlets
  /// the honesty gauge (approximation error of the link); with its divergence for three classes
  bool gauge = false;

  /// Bytes per item in the arrays of such a run.
  [[nodiscard]] std::int64_t bytesPerItem() const;
};

/// The shape of a run that averages `draws` passes of `model`; 0: a single pass, whose logits are
/// stored.
[[nodiscard]] RunShape shapeOfPasses(const Model& model, std::int64_t draws, bool keeps_samples);

}  // namespace dubito
