// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/opinion_queues.h"

#include <algorithm>
#include <utility>

#include "core/base/nan.h"
#include "core/io/run_needs.h"

namespace dubito {
namespace {

constexpr const char* kNeedsLabels = "labels of persons";

bool hasOneOtherOpinion(const PresentLabel& label, const std::string& annotator) {
  return label.origin == LabelOrigin::kPerson && settles(label.action) && label.annotators == 1 &&
         label.annotator != annotator;
}

/// Of labels whose probability nobody knows: they are in the order of their ids.
constexpr double kUnknownProbability = 0.5;

/// Probability that the network gives to the present label; 0 for "none of the classes", for an
/// ambiguous item and for a class that the network does not know.
double probabilityOf(const Run& run, std::int64_t row, const PresentLabel& label) {
  if (!run.probs) {
    return kUnknownProbability;
  }
  const bool known = label.class_id && *label.class_id < run.classCount();
  return known ? run.prob(row, *label.class_id) : 0.0;
}

/// Scores the items whose present label `wanted` accepts.
template <class Wanted>
Expected<QueueScores> scoresOfLabels(const QueueSource& source, const RunContext& context,
                                     const Wanted& wanted) {
  const Run& run = source.run;
  std::vector<const PresentLabel*> labels;
  for (const PresentLabel& label : source.inputs.labels) {
    if (wanted(label)) {
      labels.push_back(&label);
    }
  }
  std::ranges::sort(labels, {}, &PresentLabel::item);
  QueueScores scores{Array<double>::zeros({run.itemCount()})};
  double* const values = scores.values.mutableData();
  for (std::int64_t row = 0; row < run.itemCount() && !context.cancelRequested(); ++row) {
    const std::int64_t id = run.ids.data()[row];
    const auto found = std::ranges::lower_bound(labels, id, {}, &PresentLabel::item);
    values[row] =
        found != labels.end() && (*found)->item == id ? probabilityOf(run, row, **found) : kNaN;
  }
  return scores;
}

Expected<QueueScores> scoresOfSecondOpinion(const QueueSource& source, RunContext& context) {
  return scoresOfLabels(source, context, [&](const PresentLabel& label) {
    return hasOneOtherOpinion(label, source.inputs.annotator);
  });
}

Expected<QueueScores> scoresOfConflicts(const QueueSource& source, RunContext& context) {
  return scoresOfLabels(source, context, [](const PresentLabel& label) { return label.conflict; });
}

}  // namespace

std::vector<QueueKind> opinionQueues() {
  return {{.key = kSecondOpinionQueue,
           .name = "labelled by one other person",
           .why = "One other person has labelled these; what the network finds least probable "
                  "comes first.",
           .group = QueueGroup::kPeople,
           .needs = {.labels = true},
           .needs_text = kNeedsLabels,
           .left_out = "without a label of exactly one other person",
           .high_first = false,
           .revisits = true,
           .compute = scoresOfSecondOpinion},
          {.key = "conflicts",
           .name = "persons disagree",
           .why = "Persons have labelled these differently; where the network contradicts the "
                  "newest label comes first.",
           .group = QueueGroup::kPeople,
           .needs = {.labels = true},
           .needs_text = kNeedsLabels,
           .left_out = "without a conflict",
           .high_first = false,
           .revisits = true,
           .compute = scoresOfConflicts}};
}

}  // namespace dubito
