// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/selection_overview.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "app/session/operating_point.h"
#include "core/metrics/bin_finder.h"
#include "core/metrics/calibration_sums.h"

namespace dubito {
namespace {

constexpr std::size_t kGroups = 4;  // of ItemGroup
constexpr std::int64_t kGrain = 1 << 16;

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

/// The edges that the groups share; empty where no group has an item.
const std::vector<double>& edgesOf(const Overview::ScoreHistograms& histograms) {
  for (const Histogram* const histogram :
       {&histograms.correct, &histograms.misclassified, &histograms.ood}) {
    if (!histogram->edges.empty()) {
      return histogram->edges;
    }
  }
  return histograms.unlabelled.edges;
}

/// A score as the pass reads it.
struct CountedScore {
  std::size_t position;  ///< in Overview::histograms
  Measure measure;
  BinFinder find;
};

/// The bins of a reliability diagram, found by value.
class ReliabilityBins {
 public:
  ReliabilityBins() = default;
  explicit ReliabilityBins(const Reliability& reliability) : options_(reliability.options) {
    for (const ReliabilityBin& bin : reliability.diagram.bins) {
      edges_.push_back(bin.low);
    }
    if (!edges_.empty()) {
      edges_.push_back(reliability.diagram.bins.back().high);
      if (!options_.equal_mass) {
        find_.emplace(edges_);
      }
    }
  }

  [[nodiscard]] const ReliabilityOptions& options() const { return options_; }
  [[nodiscard]] const std::vector<double>& edges() const { return edges_; }
  [[nodiscard]] std::size_t size() const { return edges_.empty() ? 0 : edges_.size() - 1; }
  /// There is a bin.
  [[nodiscard]] std::size_t operator()(double probability) const {
    if (find_) {
      return (*find_)(probability);
    }
    const auto high = std::lower_bound(edges_.begin() + 1, edges_.end() - 1, probability);
    return static_cast<std::size_t>(high - edges_.begin()) - 1;
  }

 private:
  ReliabilityOptions options_;
  std::vector<double> edges_;
  std::optional<BinFinder> find_;
};

/// Counts of a part of the items, to be joined.
struct Counts {
  Counts(std::size_t scores, std::size_t bins, std::size_t reliability_bins)
      : bins_of(scores * kGroups, std::vector<std::int64_t>(bins)), reliability(reliability_bins) {}

  void add(const Counts& other) {
    for (std::size_t i = 0; i < bins_of.size(); ++i) {
      for (std::size_t bin = 0; bin < bins_of[i].size(); ++bin) {
        bins_of[i][bin] += other.bins_of[i][bin];
      }
    }
    for (std::size_t group = 0; group < kGroups; ++group) {
      items[group] += other.items[group];
    }
    for (std::size_t bin = 0; bin < reliability.size(); ++bin) {
      reliability[bin].add(other.reliability[bin]);
    }
    confidence.add(other.confidence);
  }

  std::vector<std::vector<std::int64_t>> bins_of;  ///< [score * kGroups + group][bin]
  std::array<std::int64_t, kGroups> items{};
  std::vector<BinSums> reliability;
  CompensatedSum confidence;
};

/// Returns the item's group.
ItemGroup countRow(const Analysis& analysis, ItemRef item, const std::vector<CountedScore>& scores,
                   const ReliabilityBins& bins, Counts& counts) {
  const AnalysisPart& part = analysis.partOf(item);
  const ItemGroup group = groupOf(analysis, item);
  const auto g = static_cast<std::size_t>(group);
  ++counts.items[g];
  const double confidence = part.run->confidence.data()[item.row];
  counts.confidence.add(confidence);
  if (bins.size() > 0) {
    if (const auto judged =
            judgedItem(*part.run, item.row, group == ItemGroup::kOod, bins.options())) {
      counts.reliability[bins(judged->probability)].add(judged->probability, judged->is_right);
    }
  }
  for (std::size_t s = 0; s < scores.size(); ++s) {
    const Array<double>& values = part.values(scores[s].measure);
    if (!values.empty()) {
      ++counts.bins_of[s * kGroups + g][scores[s].find(values.data()[item.row])];
    }
  }
  return group;
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
  return ItemMark::kNotChosen;
}

/// Whether `selected` items leave enough of a sample for curves.
bool isSampleEnough(const std::vector<ItemRanking>& sample, std::int64_t selected) {
  constexpr double kEnough = 20'000;
  return !sample.empty() &&
         static_cast<double>(selected) * static_cast<double>(sample.front().item_at.size()) >=
             kEnough * static_cast<double>(sample.front().items);
}

/// Curves in the order of the rankings.
std::vector<ChosenCurves> curvesOf(const std::vector<ItemRanking>& rankings,
                                   const std::vector<ItemMark>& marks, ItemMark negatives,
                                   CurveDetail detail, const RunContext& context) {
  std::vector<ChosenCurves> curves(rankings.size());
  context.parallelFor(
      static_cast<std::int64_t>(rankings.size()), 1, [&](std::int64_t begin, std::int64_t end) {
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
          curves[i] = curvesOfChosen(rankings[i], marks, negatives, detail);
        }
      });
  return curves;
}

/// Only curves that have points.
void addCurves(std::vector<ChosenCurves> curves, SelectionOverview& overview) {
  const auto keep = [](Curve& curve, std::vector<Curve>& list) {
    if (!curve.x.empty()) {
      list.push_back(std::move(curve));
    }
  };
  for (ChosenCurves& of_score : curves) {
    keep(of_score.roc, overview.roc);
    keep(of_score.precision_recall, overview.precision_recall);
    keep(of_score.rejection, overview.rejection);
  }
}

}  // namespace

Expected<ItemRankingsPtr> rankingsOf(const Analysis& analysis, const RunContext& context) {
  const std::vector<Curve>& drawn =
      analysis.overview.rejection.empty() ? analysis.overview.roc : analysis.overview.rejection;
  std::vector<ItemRanking> rankings;
  for (const Curve& curve : drawn) {
    if (context.cancelRequested()) {
      return cancelled();
    }
    const std::optional<Measure> measure = measureOfScore(curve.name);
    if (!measure) {
      continue;
    }
    std::vector<std::span<const double>> scores;
    for (const AnalysisPart& part : analysis.parts) {
      scores.push_back(part.values(*measure).values());
    }
    // An OOD part without the score: no ROC of it, as in Overview.
    if (std::ranges::any_of(scores,
                            [](std::span<const double> values) { return values.empty(); })) {
      scores.resize(1);
    }
    rankings.push_back(
        rankItems(curve.name, scores,
                  highIsCertain(*measure) ? RankOrder::kHighFirst : RankOrder::kLowFirst));
  }
  return std::make_shared<const std::vector<ItemRanking>>(std::move(rankings));
}

Expected<SelectionOverviewPtr> overviewOfSelection(const Analysis& analysis, const ItemQuery& query,
                                                   const SelectionBasis& basis,
                                                   RunContext& context) {
  const Overview& all = analysis.overview;
  std::vector<CountedScore> scores;
  std::size_t most_bins = 0;
  for (std::size_t i = 0; i < all.histograms.size(); ++i) {
    const std::optional<Measure> measure = measureOfScore(all.histograms[i].score);
    const std::vector<double>& edges = edgesOf(all.histograms[i]);
    if (measure && edges.size() >= 2) {
      scores.push_back({i, *measure, BinFinder(edges)});
      most_bins = std::max(most_bins, edges.size() - 1);
    }
  }
  const ReliabilityBins reliability_bins =
      basis.reliability ? ReliabilityBins(*basis.reliability) : ReliabilityBins();
  const Counts none(scores.size(), most_bins, reliability_bins.size());
  Counts counts = none;
  std::mutex joining;
  std::vector<ItemMark> marks(static_cast<std::size_t>(analysis.itemCount()));
  std::size_t first_of_part = 0;
  for (std::size_t p = 0; p < analysis.parts.size(); ++p) {
    if (context.cancelRequested()) {
      return cancelled();
    }
    context.parallelFor(
        analysis.parts[p].run->itemCount(), kGrain, [&](std::int64_t begin, std::int64_t end) {
          Counts mine = none;
          for (std::int64_t row = begin; row < end; ++row) {
            const ItemRef item{static_cast<std::int32_t>(p), row};
            if (isListed(analysis, query, item)) {
              const ItemGroup group = countRow(analysis, item, scores, reliability_bins, mine);
              marks[first_of_part + static_cast<std::size_t>(row)] = markOf(group);
            }
          }
          const std::lock_guard lock(joining);
          counts.add(mine);
        });
    first_of_part += static_cast<std::size_t>(analysis.parts[p].run->itemCount());
  }

  auto result = std::make_shared<SelectionOverview>();
  result->histograms.resize(all.histograms.size());
  for (std::size_t i = 0; i < all.histograms.size(); ++i) {
    result->histograms[i].score = all.histograms[i].score;
    result->histograms[i].unit = all.histograms[i].unit;
  }
  for (std::size_t s = 0; s < scores.size(); ++s) {
    const std::vector<double>& edges = edgesOf(all.histograms[scores[s].position]);
    for (std::size_t group = 0; group < kGroups; ++group) {
      Histogram& histogram =
          histogramOf(result->histograms[scores[s].position], static_cast<ItemGroup>(group));
      histogram.edges = edges;
      histogram.counts = counts.bins_of[s * kGroups + group];
      histogram.counts.resize(edges.size() - 1);
      for (const std::int64_t count : histogram.counts) {
        histogram.total += count;
      }
    }
  }
  result->reliability = diagramOf(counts.reliability, reliability_bins.edges());
  if (basis.reliability) {
    result->reliability.convention = basis.reliability->diagram.convention;
  }
  const auto itemsOf = [&counts](ItemGroup group) {
    return counts.items[static_cast<std::size_t>(group)];
  };
  result->correct = itemsOf(ItemGroup::kCorrect);
  result->misclassified = itemsOf(ItemGroup::kMisclassified);
  result->ood = itemsOf(ItemGroup::kOod);
  result->unlabelled = itemsOf(ItemGroup::kUnlabelled);
  result->mmc = result->itemCount() > 0
                    ? counts.confidence.value() / static_cast<double>(result->itemCount())
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
