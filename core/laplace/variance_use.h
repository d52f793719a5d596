// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/base/array.h"

namespace dubito {

/// Whether the probabilities of a link depend on the variance of the logits, judged from items.
/// Results of several parts of a run can be merged.
struct VarianceUse {
  bool tried = false;  ///< an item had a variance that should have changed its probabilities
  bool seen = false;   ///< and the probabilities of one such item were not the softmax of its mean

  /// Examines items with the Gaussians `mean` and `variance` [N, K] and the probabilities `probs`
  /// [N, K] that a link computed from them.
  void add(const Array<float>& mean, const Array<float>& variance, const Array<double>& probs);
  void add(const VarianceUse& other) {
    tried = tried || other.tried;
    seen = seen || other.seen;
  }
  /// Note for a run with this link and number of classes; empty if the variance was used.
  [[nodiscard]] std::string note(const std::string& link, std::int64_t classes) const;
};

}  // namespace dubito
