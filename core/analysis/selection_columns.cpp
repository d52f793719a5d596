// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/selection_columns.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/analysis/part_rows.h"
#include "core/metrics/bin_finder.h"

namespace dubito {
namespace {

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

}  // namespace

std::size_t SelectionColumns::mostBins() const {
  std::size_t most = 0;
  for (const Score& score : scores) {
    most = std::max(most, score.edges.size() - 1);
  }
  return most;
}

Expected<SelectionColumnsPtr> selectionColumns(const Analysis& analysis,
                                               const RunContext& context) {
  const auto items = static_cast<std::size_t>(analysis.itemCount());
  auto columns = std::make_shared<SelectionColumns>();
  columns->groups.resize(items);
  if (!visitPartRows(analysis, context, [&](const PartRows& range) {
        for (std::int64_t row = range.begin; row < range.end; ++row) {
          columns->groups[range.number(row)] = groupOf(analysis, {range.part, row});
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
    score.bin_of.assign(items, SelectionColumns::kNoBin);
    if (!visitPartRows(analysis, context, [&](const PartRows& range) {
          const AnalysisPart& part = analysis.parts[static_cast<std::size_t>(range.part)];
          if (!part.has(measure)) {
            return;
          }
          const double* const values = part.values(measure).data();
          for (std::int64_t row = range.begin; row < range.end; ++row) {
            score.bin_of[range.number(row)] = static_cast<std::uint16_t>(find(values[row]));
          }
        })) {
      return cancelled();
    }
    columns->scores.push_back(std::move(score));
  }
  return SelectionColumnsPtr(std::move(columns));
}

}  // namespace dubito
