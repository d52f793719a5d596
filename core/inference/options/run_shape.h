// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/models/model.h"

namespace dubito {

/// Per-item arrays of a run in addition to id, label, probabilities and their entropy.
struct RunShape {
  std::int64_t classes = 0;
  std::int64_t draws = 0;  ///< probabilities are averaged over so many samples; 0: given as such
  bool keep_samples = false;
  bool keep_logits = false;
  bool splits_entropy = false;  ///< expected entropy and mutual information; always with draws
  bool gaussians = false;       ///< mean and variance of the logits
  bool alpha = false;           ///< Dirichlets
  bool gauge = false;           ///< the honesty gauge; with its divergence for three classes

  /// Bytes per item in the arrays of such a run.
  [[nodiscard]] std::int64_t bytesPerItem() const;
};

/// Of a run that averages `draws` passes of `model`; 0: of one pass, whose logits are kept.
[[nodiscard]] RunShape shapeOfPasses(const Model& model, std::int64_t draws, bool keeps_samples);

}  // namespace dubito
