// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/selection_index.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "core/analysis/item_chunks.h"
#include "core/metrics/bin_finder.h"

namespace dubito {
namespace {

/// The edges that the groups share; empty if no group has an item.
const std::vector<double>& edgesOf(const Overview::ScoreHistograms& histograms) {
  for (const Histogram* const histogram :
       {&histograms.correct, &histograms.misclassified, &histograms.ood}) {
    if (!histogram->edges.empty()) {
      return histogram->edges;
    }
  }
  return histograms.unlabelled.edges;
}

/// Finds the bin of a reliability diagram (at least one bin) by value.
class ReliabilityBins {
 public:
  ReliabilityBins(const std::vector<double>& edges, bool equal_mass) : edges_(edges) {
    if (!equal_mass) {
      find_.emplace(edges);
    }
  }

  [[nodiscard]] std::size_t operator()(double probability) const {
    if (find_) {
      return (*find_)(probability);
    }
    const auto high = std::lower_bound(edges_.begin() + 1, edges_.end() - 1, probability);
    return static_cast<std::size_t>(high - edges_.begin()) - 1;
  }

 private:
  const std::vector<double>& edges_;
  std::optional<BinFinder> find_;
};

std::vector<double> edgesOf(const ReliabilityDiagram& diagram) {
  std::vector<double> edges;
  for (const ReliabilityBin& bin : diagram.bins) {
    edges.push_back(bin.low);
  }
  if (!edges.empty()) {
    edges.push_back(diagram.bins.back().high);
  }
  return edges;
}

}  // namespace

Expected<SelectionColumnsPtr> selectionColumns(const Analysis& analysis,
                                               const RunContext& context) {
  const auto items = static_cast<std::size_t>(analysis.itemCount());
  auto columns = std::make_shared<SelectionColumns>();
  columns->groups.resize(items);
  if (!forEachItemChunk(analysis, context, [&](const ItemChunk& chunk) {
        for (std::int64_t row = chunk.begin; row < chunk.end; ++row) {
          columns->groups[chunk.number(row)] = groupOf(analysis, {chunk.part, row});
        }
      })) {
    return cancelled();
  }
  const std::vector<Overview::ScoreHistograms>& histograms = analysis.overview.histograms;
  for (std::size_t i = 0; i < histograms.size(); ++i) {
    const Measure measure = histograms[i].measure;
    SelectionColumns::Score score{i, edgesOf(histograms[i]), {}};
    if (score.edges.size() < 2) {
      continue;
    }
    const BinFinder find(score.edges);
    score.cells.assign(items, static_cast<std::uint16_t>(score.noCell()));
    if (!forEachItemChunk(analysis, context, [&](const ItemChunk& chunk) {
          const AnalysisPart& part = analysis.parts[static_cast<std::size_t>(chunk.part)];
          if (!part.has(measure)) {
            return;
          }
          const double* const values = part.values(measure).data();
          for (std::int64_t row = chunk.begin; row < chunk.end; ++row) {
            const std::size_t item = chunk.number(row);
            score.cells[item] =
                static_cast<std::uint16_t>(score.cell(columns->groups[item], find(values[row])));
          }
        })) {
      return cancelled();
    }
    columns->scores.push_back(std::move(score));
  }
  return SelectionColumnsPtr(std::move(columns));
}

Expected<JudgedItemsPtr> judgedItems(const Analysis& analysis, const ReliabilityPtr& reliability,
                                     const RunContext& context) {
  auto judged = std::make_shared<JudgedItems>();
  judged->reliability = reliability;
  judged->edges = edgesOf(reliability->diagram);
  if (judged->edges.empty()) {
    return JudgedItemsPtr(std::move(judged));
  }
  judged->places.resize(static_cast<std::size_t>(analysis.itemCount()));
  const ReliabilityOptions& options = reliability->options;
  const ReliabilityBins find(judged->edges, options.equal_mass);
  if (!forEachItemChunk(analysis, context, [&](const ItemChunk& chunk) {
        const Run& run = *analysis.parts[static_cast<std::size_t>(chunk.part)].run;
        for (std::int64_t row = chunk.begin; row < chunk.end; ++row) {
          if (const auto item = assessedItem(run, row, chunk.part > 0, options)) {
            judged->places[chunk.number(row)] = {find(item->probability), item->is_right};
          }
        }
      })) {
    return cancelled();
  }
  return JudgedItemsPtr(std::move(judged));
}

Expected<ItemRankingsPtr> rankingsOf(const Analysis& analysis, const RunContext& context) {
  const std::vector<Curve>& drawn =
      analysis.overview.rejection.empty() ? analysis.overview.roc : analysis.overview.rejection;
  std::vector<ItemRanking> rankings;
  for (const Curve& curve : drawn) {
    if (context.cancelRequested()) {
      return cancelled();
    }
    const std::optional<Measure> measure = measureOfKey(curve.name);
    if (!measure) {
      continue;
    }
    std::vector<std::vector<double>> ranks;
    for (const AnalysisPart& part : analysis.parts) {
      // An OOD part without the score: no ROC of it, as in Overview.
      if (!part.has(*measure)) {
        ranks.resize(1);
        break;
      }
      std::vector<double>& of_part = ranks.emplace_back();
      for (std::int64_t row = 0; row < part.run->itemCount(); ++row) {
        of_part.push_back(part.rank(*measure, row));
      }
    }
    const std::vector<std::span<const double>> scores(ranks.begin(), ranks.end());
    rankings.push_back(
        rankItems(curve.name, scores,
                  highIsCertain(*measure) ? RankOrder::kHighFirst : RankOrder::kLowFirst, context));
  }
  return std::make_shared<const std::vector<ItemRanking>>(std::move(rankings));
}

ItemMark markOf(ItemGroup group) {
  // By ItemGroup; no curve counts unlabelled items.
  static constexpr std::array kMarks{ItemMark::kCorrect, ItemMark::kMisclassified, ItemMark::kOod,
                                     ItemMark::kNotChosen};
  return kMarks[static_cast<std::size_t>(group)];
}

ItemMark negativesOf(const Analysis& analysis) {
  return analysis.overview.ood > 0 ? ItemMark::kOod : ItemMark::kMisclassified;
}

}  // namespace dubito
