// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/suggested_labels.h"

#include <algorithm>

namespace dubito {
namespace {

/// Nobody compares an image with its suggestion in less.
constexpr std::int64_t kShortestLook = 1'000;

}  // namespace

SuggestedLabels suggestedLabels(const LabelRecords& records,
                                const std::unordered_map<std::int64_t, std::int64_t>& row_of) {
  std::unordered_map<std::int64_t, std::int64_t> size_of_step;
  std::unordered_map<std::int64_t, const RecordedDecision*> by_sequence;
  for (const RecordedDecision& recorded : records.journal) {
    ++size_of_step[recorded.step];
    by_sequence.emplace(recorded.sequence, &recorded);
  }
  SuggestedLabels counts;
  for (const PresentLabel& label : records.labels) {
    const auto found = by_sequence.find(label.sequence);
    if (label.origin != LabelOrigin::kPerson || label.action == LabelAction::kAmbiguous ||
        !settles(label.action) || !row_of.contains(label.item) || found == by_sequence.end()) {
      continue;
    }
    const Decision& decision = found->second->decision;
    if (decision.probs.empty()) {
      continue;
    }
    ++counts.labels;
    const std::int64_t suggested =
        std::ranges::max_element(decision.probs) - decision.probs.begin();
    if (label.class_id != mergedClass(records.classes, suggested)) {
      continue;
    }
    ++counts.as_suggested;
    const bool in_passing = size_of_step.at(found->second->step) > 1 ||
                            (decision.spent_ms > 0 && decision.spent_ms < kShortestLook);
    counts.hardly_seen += decision.prediction_shown && in_passing ? 1 : 0;
  }
  return counts;
}

}  // namespace dubito
