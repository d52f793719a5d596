// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/referral/referral_lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "core/base/nan.h"
#include "core/metrics/referral.h"
#include "core/metrics/run_scores.h"
#include "core/metrics/thin_curve.h"

namespace dubito {
namespace {

constexpr std::size_t kRocPoints = 1000;
/// Of each of the curves whose points are united in MeasureRanking::drawn.
constexpr std::size_t kPointsOfCurve = 250;

/// The labelled items of a run.
struct LabelledItems {
  std::vector<std::int64_t> index;     ///< in the run
  std::vector<std::uint8_t> is_wrong;  ///< of the prediction
  std::vector<std::uint8_t> group;     ///< index in ReferralCounts
  std::vector<double> roc_scores;      ///< higher for positives of the ROC curves
  std::vector<std::uint8_t> roc_positive;
};

LabelledItems labelledItems(const Run& run, const RunScores& scores,
                            const ReferralOptions& options) {
  const bool has_positive_class = run.classCount() == 2;
  LabelledItems items;
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    const std::int64_t label = run.labels.data()[i];
    if (label < 0) {
      continue;
    }
    const bool is_wrong = label != run.predictions.data()[i];
    const bool is_positive = has_positive_class && label == options.positive_class;
    items.index.push_back(i);
    items.is_wrong.push_back(is_wrong ? 1 : 0);
    items.group.push_back(is_positive ? 1 : 0);
    items.roc_scores.push_back(has_positive_class ? run.prob(i, options.positive_class)
                                                  : scores.confidence()->rank(i));
    items.roc_positive.push_back((has_positive_class ? is_positive : !is_wrong) ? 1 : 0);
  }
  return items;
}

std::vector<ReferralCounts> countsOf(const ItemScore& score, const LabelledItems& items,
                                     const std::vector<double>& uncertainty) {
  std::vector<std::uint32_t> order(items.index.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = static_cast<std::uint32_t>(i);
  }
  std::ranges::sort(
      order, [&](std::uint32_t a, std::uint32_t b) { return uncertainty[a] < uncertainty[b]; });
  ReferralCounts counts;  // of referring all
  counts.threshold = kNaN;
  for (const std::uint8_t group : items.group) {
    ++counts.referred.at(group);
  }
  std::vector<ReferralCounts> all{counts};
  for (std::size_t at = 0; at < order.size(); ++at) {
    const std::uint32_t item = order[at];
    --counts.referred.at(items.group[item]);
    counts.wrong.at(items.group[item]) += items.is_wrong[item];
    if (at + 1 < order.size() && uncertainty[order[at + 1]] == uncertainty[item]) {
      continue;
    }
    counts.threshold = score.values.data()[items.index[item]];
    all.push_back(counts);
  }
  std::ranges::reverse(all);
  return all;
}

/// The points that any cost curve needs: a cost is a weighted sum of the counts, so a point may be
/// dropped if it lies on a line with its neighbours in each of them.
std::vector<std::size_t> drawnPoints(const std::vector<ReferralCounts>& counts) {
  const auto total = static_cast<double>(counts.back().allReferred());
  std::vector<double> share;
  std::vector<double> threshold;
  std::vector<std::vector<double>> parts(3);
  for (const ReferralCounts& one : counts) {
    share.push_back(static_cast<double>(one.allReferred()) / total);
    // The rule that refers all has no threshold; it is kept in any case.
    threshold.push_back(one.allReferred() < counts.back().allReferred() ? one.threshold
                        : threshold.empty()                             ? 0.0
                                                                        : threshold.back());
    parts[0].push_back(static_cast<double>(one.wrong[0]) / total);
    parts[1].push_back(static_cast<double>(one.wrong[1]) / total);
    parts[2].push_back(static_cast<double>(one.referred[1]) / total);
  }
  std::vector<std::size_t> drawn = thinnedPoints(threshold, share, kPointsOfCurve);
  for (const std::vector<double>& part : parts) {
    for (const std::vector<double>* const x : {&share, &threshold}) {
      const std::vector<std::size_t> more = thinnedPoints(*x, part, kPointsOfCurve);
      drawn.insert(drawn.end(), more.begin(), more.end());
    }
  }
  if (counts.size() > 1) {
    drawn.push_back(counts.size() - 2);  // the last one with a threshold
  }
  std::ranges::sort(drawn);
  const auto [first, last] = std::ranges::unique(drawn);
  drawn.erase(first, last);
  return drawn;
}

MeasureRanking rankBy(const ItemScore& score, const LabelledItems& items,
                      const ReferralOptions& options, const RunContext& context) {
  MeasureRanking ranking;
  ranking.measure = score.measure;
  const double sign = score.certainFirst() == RankOrder::kHighFirst ? -1.0 : 1.0;
  std::vector<double> uncertainty;
  for (const std::int64_t i : items.index) {
    uncertainty.push_back(sign * score.rank(i));
  }
  ranking.counts = countsOf(score, items, uncertainty);
  ranking.drawn = drawnPoints(ranking.counts);
  ranking.roc.resize(options.roc_percents.size());
  context.forEach(ranking.roc.size(), [&](std::size_t i) {
    const std::int64_t percent = options.roc_percents[i];
    const Curve curve = rocAfterReferral(items.roc_scores, items.roc_positive, uncertainty,
                                         static_cast<double>(percent) / 100.0);
    ranking.roc[i] = thinCurve(curve, kRocPoints);
    ranking.roc[i].name = fmt::format("{} % referred", percent);
  });
  return ranking;
}

}  // namespace

Expected<ReferralRanking> rankReferral(const Run& run, const ReferralOptions& options,
                                       RunContext& context) {
  if (const Status checked = options.check(); !checked) {
    return failWith(checked);
  }
  const std::vector<Measure> requested =
      options.measures.empty() ? defaultMeasures() : measuresOfKeys(options.measures).value();
  const auto scores = gatherScores(run, "the run", requested, context);
  if (!scores) {
    return failWith(scores);
  }
  if (scores->confidence() == nullptr) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} has items without a confidence, which cannot be ranked; open a run "
                            "of a network",
                            scores->name));
  }
  if (scores->labelled() == 0) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} has no labelled items, so errors are unknown; open a run of a "
                            "labelled dataset",
                            scores->name));
  }
  if (scores->labelled() > std::numeric_limits<std::uint32_t>::max()) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("{} has more labelled items than 2^32; open a part of it", scores->name));
  }
  const LabelledItems items = labelledItems(run, *scores, options);
  ReferralRanking ranking;
  ranking.items = scores->labelled();
  ranking.unlabelled = scores->unlabelled;
  ranking.classes = run.classCount();
  ranking.roc_groups = run.classCount() == 2 ? fmt::format("{} by its probability",
                                                           run.className(options.positive_class))
                                             : "correct predictions by confidence";
  for (const Measure measure : requested) {
    const Step step = context.step("referral", static_cast<std::int64_t>(ranking.measures.size()),
                                   static_cast<std::int64_t>(requested.size()));
    if (step == Step::kCancel) {
      return cancelled();
    }
    if (const ItemScore* const score = scores->find(measure)) {
      ranking.measures.push_back(rankBy(*score, items, options, context));
    }
  }
  if (ranking.measures.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} has none of the measures {}; choose confidence", scores->name,
                            keysText(requested)),
                {setting("measures", "confidence")});
  }
  return ranking;
}

}  // namespace dubito
