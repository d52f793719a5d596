// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/label_queues.h"

#include <algorithm>
#include <utility>

#include "core/review/label_errors.h"

namespace dubito {
namespace {

constexpr const char* kWithoutLabel = "without a given label";

void noteCaveat(const QueueSource& source, QueueScores& scores) {
  if (std::string caveat = outOfSampleCaveat(source.run, source.inputs.name); !caveat.empty()) {
    scores.notes.push_back(std::move(caveat));
  }
}

template <Array<double> LabelQuality::*kScore>
Expected<QueueScores> scoresOfQuality(const QueueSource& source, RunContext& context) {
  auto quality = labelQuality(source.run, source.inputs.name, context);
  if (!quality) {
    return failWith(quality);
  }
  QueueScores scores{std::move((*quality).*kScore)};
  noteCaveat(source, scores);
  return scores;
}

/// The largest leads of another class first; without a lead the label is not contradicted.
Expected<QueueScores> scoresOfMargin(const QueueSource& source, RunContext& context) {
  auto scores = scoresOfQuality<&LabelQuality::normalised_margin>(source, context);
  if (scores) {
    scores->in_first_part.resize(scores->values.values().size());
    std::ranges::transform(scores->values.values(), scores->in_first_part.begin(),
                           [](double margin) { return static_cast<std::uint8_t>(margin < 0.5); });
  }
  return scores;
}

/// Suspected items first, each part in the order of the margin of the given label.
Expected<QueueScores> scoresOfLabelErrors(const QueueSource& source, RunContext& context) {
  const auto errors =
      findLabelErrors(source.run, source.inputs.name, {.rule = source.inputs.rule}, context);
  if (!errors) {
    return failWith(errors);
  }
  QueueScores scores{errors->normalised_margin};
  std::vector<double> order(scores.values.values().begin(), scores.values.values().end());
  scores.in_first_part.assign(order.size(), 0);
  for (const std::int64_t row : errors->issues) {
    order[static_cast<std::size_t>(row)] -= 2.0;  // margins are in [0, 1]
    scores.in_first_part[static_cast<std::size_t>(row)] = 1;
  }
  scores.order = Array<double>::fromVector(std::move(order));
  noteCaveat(source, scores);
  return scores;
}

}  // namespace

std::vector<QueueKind> labelQueues() {
  return {
      {.key = "label-errors",
       .name = "suspected label errors first",
       .why = "Images whose label the network doubts most come first; after them come those where "
              "both agree (confident learning).",
       .why_of_labels = "Images whose label the scores of the program contradict most come first; "
                        "after them come those where both agree (confident learning).",
       .group = QueueGroup::kRecommended,
       .first_part = "suspected label errors",
       .needs = {.given_labels = true},
       .needs_text = "probabilities and given labels",
       .left_out = kWithoutLabel,
       .high_first = false,
       .compute = scoresOfLabelErrors},
      {.key = "self-confidence",
       .name = "improbable labels first",
       .why = "The network gives the given label a low probability; the least probable labels come "
              "first.",
       .why_of_labels =
           "The program gave the given label a low score; the lowest scores come first.",
       .group = QueueGroup::kLabels,
       .needs = {.given_labels = true},
       .needs_text = "probabilities and given labels",
       .left_out = kWithoutLabel,
       .high_first = false,
       .compute = scoresOfQuality<&LabelQuality::self_confidence>},
      {.key = "label-margin",
       .name = "contradicted labels first",
       .why = "Another class is more probable than the given label; the largest lead comes first.",
       .group = QueueGroup::kLabels,
       .first_part = "contradicted labels",
       .needs = {.given_labels = true},
       .needs_text = "probabilities and given labels",
       .left_out = kWithoutLabel,
       .high_first = false,
       .compute = scoresOfMargin}};
}

}  // namespace dubito
