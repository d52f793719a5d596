// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/effect.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "core/decisions/run_uncertainty.h"
#include "core/io/run_needs.h"
#include "core/metrics/reliability_diagram.h"
#include "core/review/label_errors.h"
#include "core/review/reviewed_sample.h"

namespace dubito {
namespace {

constexpr std::int64_t kEceBins = 15;
constexpr std::size_t kDeciles = 10;
/// Fewer items in random order say little about the share of errors.
constexpr std::int64_t kFewestAtRandom = 30;
constexpr std::size_t kMaxFoundPoints = 500;
constexpr std::size_t kMajorityOf = 3;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

using RowOfItem = std::unordered_map<std::int64_t, std::int64_t>;

bool isPersons(const RecordedDecision& recorded) {
  return !recorded.undone && recorded.decision.origin == LabelOrigin::kPerson;
}

/// The class of a final decision; nothing if it is ambiguous or not final.
template <class Label>
std::optional<std::int64_t> classOfDecision(const Label& label,
                                            std::span<const LabelClass> classes) {
  if (assignsClass(label.action)) {
    return mergedClass(classes, label.class_id.value());
  }
  return label.action == LabelAction::kNotInClasses ? std::optional(kNoneOfClasses) : std::nullopt;
}

LabelScores scoresOf(const std::vector<double>& confidence,
                     const std::vector<std::uint8_t>& correct) {
  LabelScores scores{
      .items = static_cast<std::int64_t>(correct.size()), .accuracy = kUnknown, .ece = kUnknown};
  if (!correct.empty()) {
    const auto right = std::accumulate(correct.begin(), correct.end(), std::int64_t{0});
    scores.accuracy = static_cast<double>(right) / static_cast<double>(correct.size());
    if (std::ranges::none_of(confidence, [](double value) { return std::isnan(value); })) {
      scores.ece = equalWidthReliability(confidence, correct, kEceBins).ece;
    }
  }
  return scores;
}

void compareLabels(const Run& run, const LabelRecords& records, ReviewEffect& effect) {
  std::unordered_map<std::int64_t, const PresentLabel*> label_of;
  for (const PresentLabel& label : records.labels) {
    label_of.emplace(label.item, &label);
  }
  std::vector<double> confidence;
  std::vector<std::uint8_t> right_before;
  std::vector<std::uint8_t> right_after;
  std::vector<double> compared_confidence;
  std::vector<std::uint8_t> compared_before;
  std::vector<std::uint8_t> compared_after;
  std::set<std::int64_t> classes;
  bool none = false;
  for (std::int64_t row = 0; row < run.itemCount(); ++row) {
    const auto found = label_of.find(run.ids.data()[row]);
    const PresentLabel* const label = found == label_of.end() ? nullptr : found->second;
    const bool settled = label != nullptr && settles(label->action);
    const bool by_person = settled && label->origin == LabelOrigin::kPerson;
    effect.by_model += settled && label->origin == LabelOrigin::kModel ? 1 : 0;
    effect.reviewed += by_person ? 1 : 0;
    effect.unclear += by_person && label->action == LabelAction::kAmbiguous ? 1 : 0;
    if (run.labels.data()[row] < 0) {
      continue;
    }
    effect.unclear_given += by_person && label->action == LabelAction::kAmbiguous ? 1 : 0;
    const std::int64_t given = mergedClass(records.classes, run.labels.data()[row]);
    const std::int64_t predicted = mergedClass(records.classes, run.predictions.data()[row]);
    const auto reviewed =
        by_person ? classOfDecision(*label, records.classes) : std::optional<std::int64_t>();
    ++effect.given;
    confidence.push_back(run.confidence.data()[row]);
    right_before.push_back(predicted == given ? 1 : 0);
    right_after.push_back(predicted == reviewed.value_or(given) ? 1 : 0);
    if (!reviewed) {
      continue;
    }
    effect.compared.push_back({row, given, *reviewed});
    effect.changed += given != *reviewed ? 1 : 0;
    classes.insert(given);
    if (*reviewed == kNoneOfClasses) {
      none = true;
    } else {
      classes.insert(*reviewed);
    }
    compared_confidence.push_back(confidence.back());
    compared_before.push_back(right_before.back());
    compared_after.push_back(right_after.back());
  }
  effect.all = {scoresOf(confidence, right_before), scoresOf(confidence, right_after)};
  effect.compared_only = {scoresOf(compared_confidence, compared_before),
                          scoresOf(compared_confidence, compared_after)};
  effect.classes.assign(classes.begin(), classes.end());
  if (none) {
    effect.classes.push_back(kNoneOfClasses);
  }
  const auto count = static_cast<std::int64_t>(effect.classes.size());
  effect.changes = Array<std::int64_t>::zeros({count, count});
  const auto placeOf = [&effect](std::int64_t id) {
    return std::ranges::find(effect.classes, id) - effect.classes.begin();
  };
  for (const ReviewedItem& item : effect.compared) {
    ++effect.changes.mutableData()[placeOf(item.given) * count + placeOf(item.reviewed)];
  }
}

Status findErrors(const Run& run, const std::string& name, const LabelRecords& records,
                  const RowOfItem& row_of, ReviewEffect& effect, RunContext& context) {
  std::unordered_map<std::int64_t, bool> is_error;  // by row, of the compared items
  for (const ReviewedItem& item : effect.compared) {
    is_error.emplace(item.row, item.given != item.reviewed);
  }
  FoundErrors& found = effect.found;
  found.reviewed = {0};
  found.found = {0};
  std::int64_t at_random = 0;
  std::int64_t wrong_at_random = 0;
  std::unordered_set<std::int64_t> seen;
  for (const RecordedDecision& recorded : records.journal) {
    const Decision& decision = recorded.decision;
    const auto row = row_of.find(decision.item);
    if (!isPersons(recorded) || row == row_of.end() || !settles(decision.action)) {
      continue;
    }
    const auto error = is_error.find(row->second);
    if (error == is_error.end() || !seen.insert(decision.item).second) {
      continue;
    }
    found.reviewed.push_back(found.reviewed.back() + 1);
    found.found.push_back(found.found.back() + (error->second ? 1 : 0));
    if (decision.queue == kRandomQueue) {
      ++at_random;
      wrong_at_random += error->second ? 1 : 0;
    }
  }
  if (at_random >= kFewestAtRandom) {
    found.baseline = BaselineSource::kRandomOrder;
    found.share_at_random = static_cast<double>(wrong_at_random) / static_cast<double>(at_random);
  } else if (found.reviewed.size() > 1 && run.probs && run.classCount() > 1) {
    const auto errors = findLabelErrors(run, name, {}, context);
    // Labels of a program that are their own suggestions allow no estimate.
    if (!errors && errors.error().code != ErrorCode::kInvalidArgument) {
      return failWith(errors);
    }
    if (errors) {
      found.baseline = BaselineSource::kConfidentLearning;
      found.share_at_random = static_cast<double>(std::max(errors->estimated, found.found.back())) /
                              static_cast<double>(errors->items);
    }
  }
  // For drawing: the last point stays.
  const std::size_t step = found.reviewed.size() / kMaxFoundPoints + 1;
  FoundErrors thinned = found;
  thinned.reviewed.clear();
  thinned.found.clear();
  for (std::size_t i = 0; i < found.reviewed.size(); ++i) {
    if (i % step == 0 || i + 1 == found.reviewed.size()) {
      thinned.reviewed.push_back(found.reviewed[i]);
      thinned.found.push_back(found.found[i]);
    }
  }
  found = std::move(thinned);
  return {};
}

/// The rating of most persons about each item, if at least three persons rated it and more than
/// half of them agree.
std::unordered_map<std::int64_t, std::int64_t> majorities(const Ratings& ratings) {
  std::unordered_map<std::int64_t, std::int64_t> result;
  for (std::size_t i = 0; i < ratings.items.size(); ++i) {
    std::unordered_map<std::int64_t, std::size_t> votes;
    std::size_t all = 0;
    for (const auto& of_one : ratings.ratings) {
      if (of_one[i] >= 0) {
        ++votes[of_one[i]];
        ++all;
      }
    }
    for (const auto& [rating, count] : votes) {
      if (all >= kMajorityOf && 2 * count > all) {
        result.emplace(ratings.items[i], rating);
      }
    }
  }
  return result;
}

void compareVisibility(const LabelRecords& records, ReviewEffect& effect) {
  const auto majority = majorities(effect.ratings);
  const auto last_class =
      std::ranges::max_element(records.classes, {}, [](const LabelClass& one) { return one.id; });
  const std::int64_t none =
      last_class == records.classes.end() ? 0 : last_class->id + 1;  // as in Ratings
  for (const RecordedDecision& recorded : records.journal) {
    const Decision& decision = recorded.decision;
    if (!isPersons(recorded) || decision.probs.empty()) {
      continue;
    }
    const auto chosen = classOfDecision(decision, records.classes);
    if (!chosen) {
      continue;
    }
    VisibilityEffect& group = decision.prediction_shown ? effect.shown : effect.hidden;
    const std::int64_t suggested =
        std::ranges::max_element(decision.probs) - decision.probs.begin();
    ++group.decisions;
    group.agreeing += *chosen == mergedClass(records.classes, suggested) ? 1 : 0;
    if (const auto found = majority.find(decision.item); found != majority.end()) {
      ++group.judged;
      group.wrong += (*chosen == kNoneOfClasses ? none : *chosen) != found->second ? 1 : 0;
    }
  }
}

double medianOf(std::vector<double> values) {
  if (values.empty()) {
    return kUnknown;
  }
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2.0;
}

Status findDeciles(const Run& run, const std::string& name, const RunContext& context,
                   ReviewEffect& effect) {
  if (run.itemCount() == 0 || (!run.probs && !hasConfidence(run))) {
    return {};
  }
  const auto uncertainty =
      uncertaintyOf(run, name, run.probs ? Measure::kEntropy : Measure::kConfidence, context);
  if (!uncertainty) {
    return failWith(uncertainty);
  }
  const auto count = static_cast<std::size_t>(run.itemCount());
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t row) {
    const double value = uncertainty->values.data()[row];
    return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
  });
  effect.decile_of_row.assign(count, 0);
  for (std::size_t rank = 0; rank < count; ++rank) {
    effect.decile_of_row[order[rank]] = static_cast<std::uint8_t>(rank * kDeciles / count);
  }
  effect.deciles.assign(kDeciles, {});
  return {};
}

void measureDeciles(const LabelRecords& records, const RowOfItem& row_of, ReviewEffect& effect) {
  if (effect.deciles.empty()) {
    return;
  }
  const auto decileOf = [&](std::int64_t item) -> std::optional<std::size_t> {
    const auto row = row_of.find(item);
    return row == row_of.end() ? std::nullopt
                               : std::optional<std::size_t>(
                                     effect.decile_of_row[static_cast<std::size_t>(row->second)]);
  };
  std::vector<std::vector<double>> spent(kDeciles);
  for (const RecordedDecision& recorded : records.journal) {
    const std::int64_t time = recorded.decision.spent_ms;
    if (const auto decile = decileOf(recorded.decision.item);
        decile && isPersons(recorded) && time > 0 && time <= kLongestDecisionMs) {
      spent[*decile].push_back(static_cast<double>(time));
    }
  }
  std::vector<double> equal(kDeciles, 0.0);
  for (std::size_t i = 0; i < effect.ratings.items.size(); ++i) {
    std::unordered_map<std::int64_t, std::int64_t> votes;
    std::int64_t all = 0;
    for (const auto& of_one : effect.ratings.ratings) {
      if (of_one[i] >= 0) {
        ++votes[of_one[i]];
        ++all;
      }
    }
    const auto decile = decileOf(effect.ratings.items[i]);
    if (all < 2 || !decile) {
      continue;
    }
    std::int64_t pairs = 0;
    for (const auto& [rating, count] : votes) {
      pairs += count * (count - 1);
    }
    ++effect.deciles[*decile].rated;
    equal[*decile] += static_cast<double>(pairs) / static_cast<double>(all * (all - 1));
  }
  for (std::size_t decile = 0; decile < kDeciles; ++decile) {
    DecileEffect& one = effect.deciles[decile];
    one.decisions = static_cast<std::int64_t>(spent[decile].size());
    one.median_ms = medianOf(std::move(spent[decile]));
    one.agreement = one.rated > 0 ? equal[decile] / static_cast<double>(one.rated) : kUnknown;
  }
}

}  // namespace

Expected<ReviewEffect> reviewEffect(const Run& run, const std::string& name,
                                    const LabelRecords& records, RunContext& context) {
  ReviewEffect effect{.items = run.itemCount()};
  RowOfItem row_of;
  for (std::int64_t row = 0; row < run.itemCount(); ++row) {
    row_of.emplace(run.ids.data()[row], row);
  }
  compareLabels(run, records, effect);
  if (context.cancelRequested()) {
    return cancelled();
  }
  if (const Status found = findErrors(run, name, records, row_of, effect, context); !found) {
    return failWith(found);
  }
  effect.ratings = ratingsOf(records.journal, records.classes);
  compareVisibility(records, effect);
  if (const Status found = findDeciles(run, name, context, effect); !found) {
    return failWith(found);
  }
  measureDeciles(records, row_of, effect);
  effect.pace = paceOf(records.journal);
  effect.persons = personSummaries(records.journal, records.classes);
  effect.progress = classProgress(run, records, row_of);
  effect.suggested = suggestedLabels(records, row_of);
  return effect;
}

}  // namespace dubito
