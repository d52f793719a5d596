// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/base/array.h"

namespace dubito {

/// Whether the probabilities of a link make use of the variance of the logits, as far as items show
/// it. What several parts of a run show adds up.
struct VarianceUse {
  bool tried = false;  ///< an item had a variance that should have changed its probabilities
  bool seen = false;   ///< and the probabilities of one such item were not the softmax of its mean

  /// Looks at items with the Gaussians `mean` and `variance` [N, K] and what a link made of them,
  /// `probs` [N, K].
  void add(const Array<float>& mean, const Array<float>& variance, const Array<double>& probs);
  void add(const VarianceUse& other) {
    tried = tried || other.tried;
    seen = seen || other.seen;
  }
  /// What a run with this link over so many classes must say; empty where the variance was used.
  [[nodiscard]] std::string note(const std::string& link, std::int64_t classes) const;
};

}  // namespace dubito
