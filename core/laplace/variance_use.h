// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/array.h"
#include "core/base/note.h"

namespace dubito {

/// Records whether the probabilities of a link depend on the variance of the logits, judging by the
/// items of a run. The records of parts of a run can be merged.
struct VarianceUse {
  bool tried = false;  ///< some item had a variance that should change its probabilities
  bool seen = false;   ///< the probabilities of such an item differed from the softmax of its mean

  /// Examines items, given the means and variances `mean` and `variance` [N, K] of their Gaussians
  /// and the probabilities `probs` [N, K] that a link computed from these.
  void add(const Array<float>& mean, const Array<float>& variance, const Array<double>& probs);
  void add(const VarianceUse& other) {
    tried = tried || other.tried;
    seen = seen || other.seen;
  }
  /// Note for a run with this link and number of classes if the variance had no effect; none
  /// otherwise.
  [[nodiscard]] std::optional<Note> note(const std::string& link, std::int64_t classes) const;
};

}  // namespace dubito
