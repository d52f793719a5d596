// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/selection_overview.h"

#include <array>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>

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

/// Counts of a part of the items, to be joined.
struct Counts {
  Counts(std::size_t scores, std::size_t bins, std::int64_t reliability_bins)
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
    reliability.add(other.reliability);
    confidence.add(other.confidence);
  }

  std::vector<std::vector<std::int64_t>> bins_of;  ///< [score * kGroups + group][bin]
  std::array<std::int64_t, kGroups> items{};
  EqualWidthSums reliability;
  CompensatedSum confidence;
};

void countRow(const Analysis& analysis, ItemRef item, const std::vector<CountedScore>& scores,
              Counts& counts) {
  const AnalysisPart& part = analysis.partOf(item);
  const ItemGroup group = groupOf(analysis, item);
  const auto g = static_cast<std::size_t>(group);
  ++counts.items[g];
  const double confidence = part.run->confidence.data()[item.row];
  counts.confidence.add(confidence);
  if (group == ItemGroup::kCorrect || group == ItemGroup::kMisclassified) {
    counts.reliability.add(confidence, group == ItemGroup::kCorrect);
  }
  for (std::size_t s = 0; s < scores.size(); ++s) {
    const Array<double>& values = part.values(scores[s].measure);
    if (!values.empty()) {
      ++counts.bins_of[s * kGroups + g][scores[s].find(values.data()[item.row])];
    }
  }
}

}  // namespace

Expected<SelectionOverviewPtr> overviewOfSelection(const Analysis& analysis, const ItemQuery& query,
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
  const auto reliability_bins =
      std::max<std::int64_t>(1, static_cast<std::int64_t>(all.reliability.bins.size()));
  const Counts none(scores.size(), most_bins, reliability_bins);
  Counts counts = none;
  std::mutex joining;
  for (std::size_t p = 0; p < analysis.parts.size(); ++p) {
    if (context.cancelRequested()) {
      return cancelled();
    }
    context.parallelFor(analysis.parts[p].run->itemCount(), kGrain,
                        [&](std::int64_t begin, std::int64_t end) {
                          Counts mine = none;
                          for (std::int64_t row = begin; row < end; ++row) {
                            const ItemRef item{static_cast<std::int32_t>(p), row};
                            if (isListed(analysis, query, item)) {
                              countRow(analysis, item, scores, mine);
                            }
                          }
                          const std::lock_guard lock(joining);
                          counts.add(mine);
                        });
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
  result->reliability = counts.reliability.diagram();
  result->reliability.convention = all.reliability.convention;
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
  return SelectionOverviewPtr(std::move(result));
}

}  // namespace dubito
