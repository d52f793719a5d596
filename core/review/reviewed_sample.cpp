// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/reviewed_sample.h"

#include <cmath>
#include <unordered_map>

namespace dubito {

ReviewedSample reviewedSample(const Run& run, std::span<const RecordedDecision> journal,
                              std::span<const PresentLabel> labels,
                              std::span<const LabelClass> classes) {
  std::unordered_map<std::int64_t, bool> in_sample;  // by item: from the queue "random"
  for (const RecordedDecision& recorded : journal) {
    const Decision& decision = recorded.decision;
    if (!recorded.undone && decision.origin == LabelOrigin::kPerson) {
      in_sample.try_emplace(decision.item, decision.queue == kRandomQueue);
    }
  }
  std::unordered_map<std::int64_t, const PresentLabel*> label_of;
  for (const PresentLabel& label : labels) {
    if (in_sample.contains(label.item)) {
      label_of.emplace(label.item, &label);
    }
  }
  ReviewedSample sample;
  for (std::int64_t row = 0; row < run.itemCount(); ++row) {
    const auto found = label_of.find(run.ids.data()[row]);
    if (found == label_of.end()) {
      continue;
    }
    const PresentLabel& label = *found->second;
    if (!in_sample.at(label.item)) {
      sample.others += settles(label.action) && label.origin == LabelOrigin::kPerson ? 1 : 0;
      continue;
    }
    if (label.action == LabelAction::kAmbiguous) {
      ++sample.unclear;
      continue;
    }
    // A label of a model is no review: the item was skipped by the person.
    const bool open = !settles(label.action) || label.origin == LabelOrigin::kModel;
    const bool right = !open && label.class_id == mergedClass(classes, run.predictions.data()[row]);
    sample.open += open ? 1 : 0;
    sample.rows.push_back(row);
    sample.error.push_back(right ? 0 : 1);
  }
  return sample;
}

CalibrationItems calibrationItems(const ReviewedSample& sample, std::span<const double> uncertainty,
                                  double top) {
  CalibrationItems items{.top = top};
  for (std::size_t i = 0; i < sample.rows.size(); ++i) {
    const double value = uncertainty[static_cast<std::size_t>(sample.rows[i])];
    if (!std::isnan(value)) {
      items.uncertainty.push_back(value);
      items.error.push_back(sample.error[i]);
    }
  }
  return items;
}

}  // namespace dubito
