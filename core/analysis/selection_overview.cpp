// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/selection_overview.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include "core/analysis/item_chunks.h"
#include "core/metrics/calibration_error.h"

namespace dubito {
namespace {

constexpr std::size_t kGroups = 4;  // of ItemGroup

Histogram& histogramOf(Overview::ScoreHistograms& histograms, ItemGroup group) {
  switch (group) {
    case ItemGroup::kCorrect:
      return histograms.correct;
    case ItemGroup::kMisclassified:
      return histograms.misclassified;
    case ItemGroup::kOod:
      return histograms.ood;
    case ItemGroup::kUnlabelled:
      break;
  }
  return histograms.unlabelled;
}

ItemMark markOf(ItemGroup group) {
  switch (group) {
    case ItemGroup::kCorrect:
      return ItemMark::kCorrect;
    case ItemGroup::kMisclassified:
      return ItemMark::kMisclassified;
    case ItemGroup::kOod:
      return ItemMark::kOod;
    case ItemGroup::kUnlabelled:
      break;
  }
  return ItemMark::kNotChosen;  // no curve counts it
}

/// Counts over a part of the items; parts are added up.
class Counts {
 public:
  /// `judged` may be null; both must outlive this.
  Counts(const SelectionColumns& columns, const JudgedItems* judged)
      : columns_(columns),
        judged_(judged != nullptr && judged->binCount() > 0 ? judged : nullptr),
        max_bins_(columns.maxBins()),
        bins_of_(columns.scores.size() * kGroups * max_bins_),
        reliability_(judged_ != nullptr ? judged_->binCount() : 0) {}

  /// `row` of `run` is item number `item` of the analysis.
  void add(const Run& run, std::int64_t row, std::size_t item) {
    const auto group = static_cast<std::size_t>(columns_.groups[item]);
    ++items_[group];
    confidence_.add(run.confidence.data()[row]);
    if (judged_ != nullptr) {
      if (const JudgedItems::Place place = judged_->places[item]; place.isJudged()) {
        reliability_[place.bin()].add(assessedProbability(run, row, judged_->reliability->options),
                                      place.isRight());
      }
    }
    for (std::size_t s = 0; s < columns_.scores.size(); ++s) {
      if (const std::uint16_t bin = columns_.scores[s].bin_of[item];
          bin != SelectionColumns::kNoBin) {
        ++bins_of_[place(s, group) + bin];
      }
    }
  }

  void add(const Counts& other) {
    for (std::size_t i = 0; i < bins_of_.size(); ++i) {
      bins_of_[i] += other.bins_of_[i];
    }
    for (std::size_t group = 0; group < kGroups; ++group) {
      items_[group] += other.items_[group];
    }
    for (std::size_t bin = 0; bin < reliability_.size(); ++bin) {
      reliability_[bin].add(other.reliability_[bin]);
    }
    confidence_.add(other.confidence_);
  }

  [[nodiscard]] std::int64_t itemsOf(ItemGroup group) const {
    return items_[static_cast<std::size_t>(group)];
  }
  [[nodiscard]] const std::vector<BinSums>& reliability() const { return reliability_; }
  [[nodiscard]] double confidenceSum() const { return confidence_.value(); }

  /// Over the edges of score `s` of the columns.
  [[nodiscard]] Histogram histogram(std::size_t s, ItemGroup group) const {
    Histogram histogram;
    histogram.edges = columns_.scores[s].edges;
    const auto first =
        bins_of_.begin() + static_cast<std::ptrdiff_t>(place(s, static_cast<std::size_t>(group)));
    histogram.counts.assign(first, first + static_cast<std::ptrdiff_t>(histogram.edges.size() - 1));
    for (const std::int64_t count : histogram.counts) {
      histogram.total += count;
    }
    return histogram;
  }

 private:
  [[nodiscard]] std::size_t place(std::size_t s, std::size_t group) const {
    return (s * kGroups + group) * max_bins_;
  }

  const SelectionColumns& columns_;
  const JudgedItems* judged_;  ///< null without bins
  std::size_t max_bins_;
  std::vector<std::int64_t> bins_of_;  ///< [score, group, bin]
  std::array<std::int64_t, kGroups> items_{};
  std::vector<BinSums> reliability_;
  CompensatedSum confidence_;
};

/// Whether enough of the sample is selected for curves.
bool isSampleEnough(const std::vector<ItemRanking>& sample, std::int64_t selected) {
  constexpr double kEnough = 20'000;
  return !sample.empty() &&
         static_cast<double>(selected) * static_cast<double>(sample.front().item_at.size()) >=
             kEnough * static_cast<double>(sample.front().items);
}

/// Curves in the order of the rankings.
std::vector<RankedCurves> curvesOf(const std::vector<ItemRanking>& rankings,
                                   const std::vector<ItemMark>& marks, ItemMark negatives,
                                   CurveDetail detail, const RunContext& context) {
  std::vector<RankedCurves> curves(rankings.size());
  context.parallelFor(
      static_cast<std::int64_t>(rankings.size()), 1, [&](std::int64_t begin, std::int64_t end) {
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
          curves[i] = curvesOfChosen(rankings[i], marks, negatives, detail);
        }
      });
  return curves;
}

/// Appends only curves with points.
void addCurves(std::vector<RankedCurves> curves, SelectionOverview& overview) {
  const auto keep = [](Curve& curve, std::vector<Curve>& list) {
    if (!curve.x.empty()) {
      list.push_back(std::move(curve));
    }
  };
  for (RankedCurves& of_score : curves) {
    keep(of_score.roc, overview.roc);
    keep(of_score.precision_recall, overview.precision_recall);
    keep(of_score.rejection, overview.rejection);
  }
}

}  // namespace

Expected<SelectionOverviewPtr> overviewOfSelection(const Analysis& analysis, const ItemQuery& query,
                                                   const SelectionBasis& basis,
                                                   RunContext& context) {
  const Overview& all = analysis.overview;
  const SelectionColumns& columns = *basis.columns;
  const JudgedItems* const judged = basis.judged.get();
  Counts counts(columns, judged);
  std::mutex joining;
  std::vector<ItemMark> marks(columns.groups.size());
  if (!forEachItemChunk(analysis, context, [&](const ItemChunk& chunk) {
        const Run& run = *analysis.parts[static_cast<std::size_t>(chunk.part)].run;
        Counts mine(columns, judged);
        for (std::int64_t row = chunk.begin; row < chunk.end; ++row) {
          if (isListed(analysis, query, {chunk.part, row})) {
            const std::size_t item = chunk.number(row);
            mine.add(run, row, item);
            marks[item] = markOf(columns.groups[item]);
          }
        }
        const std::lock_guard lock(joining);
        counts.add(mine);
      })) {
    return cancelled();
  }

  auto result = std::make_shared<SelectionOverview>();
  result->histograms.resize(all.histograms.size());
  for (std::size_t i = 0; i < all.histograms.size(); ++i) {
    result->histograms[i].measure = all.histograms[i].measure;
  }
  for (std::size_t s = 0; s < columns.scores.size(); ++s) {
    for (std::size_t group = 0; group < kGroups; ++group) {
      histogramOf(result->histograms[columns.scores[s].position], static_cast<ItemGroup>(group)) =
          counts.histogram(s, static_cast<ItemGroup>(group));
    }
  }
  result->reliability =
      diagramOf(counts.reliability(), judged != nullptr ? judged->edges : std::vector<double>());
  if (judged != nullptr) {
    result->reliability.convention = judged->reliability->diagram.convention;
  }
  result->correct = counts.itemsOf(ItemGroup::kCorrect);
  result->misclassified = counts.itemsOf(ItemGroup::kMisclassified);
  result->ood = counts.itemsOf(ItemGroup::kOod);
  result->unlabelled = counts.itemsOf(ItemGroup::kUnlabelled);
  result->mmc = result->itemCount() > 0
                    ? counts.confidenceSum() / static_cast<double>(result->itemCount())
                    : std::numeric_limits<double>::quiet_NaN();
  const bool against_ood = all.ood > 0;
  const std::int64_t negatives = against_ood ? result->ood : result->misclassified;
  result->positive_share =
      result->correct > 0 && negatives > 0
          ? static_cast<double>(result->correct) / static_cast<double>(result->correct + negatives)
          : std::numeric_limits<double>::quiet_NaN();
  if (basis.rankings) {
    const bool sampled = basis.preview && isSampleEnough(*basis.preview, result->itemCount());
    addCurves(curvesOf(sampled ? *basis.preview : *basis.rankings, marks,
                       against_ood ? ItemMark::kOod : ItemMark::kMisclassified,
                       basis.preview ? CurveDetail::kPoints : CurveDetail::kWithSummary, context),
              *result);
  }
  return SelectionOverviewPtr(std::move(result));
}

}  // namespace dubito
