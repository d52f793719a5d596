// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/array.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// Negative log likelihood of each item of a run: from its logits if its probabilities are their
/// softmax, else with the clamp of negativeLogLikelihood. The run, which must have probabilities,
/// must outlive it.
class ItemNll {
 public:
  explicit ItemNll(const Run& run);

  /// In nats; infinite if the label is masked.
  [[nodiscard]] double operator()(std::int64_t row, std::int64_t label) const;

 private:
  const Run& run_;
  bool has_logits_;
};

/// [N] the negative log likelihood of the label of each item, NaN for items without a label. Empty
/// if no item has a label, or the run has no probabilities.
[[nodiscard]] Array<double> nllOfItems(const Run& run, const RunContext& context);

/// Brier score of one item: the sum over classes of (p_k - [k = label])^2. Requires probabilities.
[[nodiscard]] double brierOfItem(const Run& run, std::int64_t row, std::int64_t label);

}  // namespace dubito
