// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/inspector/item_probabilities.h"

#include "app/words/words.h"
#include "core/measures/centred_logits.h"

namespace dubito {

ItemProbabilities itemProbabilities(const Analysis& analysis, ItemRef item, Array<float> draws,
                                    bool with_logits) {
  const Run& run = *analysis.partOf(item).run;
  const std::int64_t classes = run.classCount();
  ItemProbabilities value;
  std::vector<float> mean;
  for (std::int64_t k = 0; k < classes; ++k) {
    value.class_names.push_back(className(analysis, k));
    value.mean_probs.push_back(run.prob(item.row, k));
    mean.push_back(static_cast<float>(value.mean_probs.back()));
  }
  value.label_true = item.part == 0 ? run.labels.data()[item.row] : -1;
  value.label_predicted = run.predictions.data()[item.row];
  if (!with_logits) {
    // Skip T K logarithms.
  } else if (draws.rank() == 2 && draws.extent(0) > 0) {
    value.logits = centredLogits(draws);
  } else if (run.logits && classes > 0) {
    value.logits = std::visit(
        [&](const auto& logits) { return centred(logits.slice(item.row, item.row + 1)); },
        *run.logits);
  } else if (run.logit_mean && classes > 0) {
    value.logits = centred(run.logit_mean->slice(item.row, item.row + 1));
  } else if (classes > 0) {
    value.logits = centredLogits(Array<float>::fromVector({1, classes}, std::move(mean)));
  }
  value.samples = std::move(draws);
  return value;
}

}  // namespace dubito
