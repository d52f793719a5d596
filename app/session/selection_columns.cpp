// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/selection_columns.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/metrics/bin_finder.h"

namespace dubito {
namespace {

constexpr std::int64_t kGrain = 1 << 16;

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

/// The bins of a reliability diagram, found by value. There is a bin.
class ReliabilityBins {
 public:
  ReliabilityBins(std::vector<double> edges, bool equal_mass) : edges_(std::move(edges)) {
    if (!equal_mass) {
      find_.emplace(edges_);
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
  std::vector<double> edges_;
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

/// Calls visit(item, number) for all items in parallel; false where the context is cancelled.
template <class Visit>
bool visitItems(const Analysis& analysis, const RunContext& context, const Visit& visit) {
  std::int64_t first_of_part = 0;
  for (std::size_t p = 0; p < analysis.parts.size(); ++p) {
    if (context.cancelRequested()) {
      return false;
    }
    const std::int64_t items = analysis.parts[p].run->itemCount();
    context.parallelFor(items, kGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) {
        visit(ItemRef{static_cast<std::int32_t>(p), row},
              static_cast<std::size_t>(first_of_part + row));
      }
    });
    first_of_part += items;
  }
  return !context.cancelRequested();
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
                                               const ReliabilityPtr& reliability,
                                               const RunContext& context) {
  const auto items = static_cast<std::size_t>(analysis.itemCount());
  auto columns = std::make_shared<SelectionColumns>();
  columns->groups.resize(items);
  if (!visitItems(analysis, context, [&](ItemRef item, std::size_t number) {
        columns->groups[number] = groupOf(analysis, item);
      })) {
    return cancelled();
  }
  const std::vector<Overview::ScoreHistograms>& histograms = analysis.overview.histograms;
  for (std::size_t i = 0; i < histograms.size(); ++i) {
    const std::optional<Measure> measure = measureOfScore(histograms[i].score);
    SelectionColumns::Score score{i, edgesOf(histograms[i]), {}};
    if (!measure || score.edges.size() < 2) {
      continue;
    }
    const BinFinder find(score.edges);
    score.bin_of.assign(items, SelectionColumns::kNoBin);
    if (!visitItems(analysis, context, [&](ItemRef item, std::size_t number) {
          if (const Array<double>& values = analysis.partOf(item).values(*measure);
              !values.empty()) {
            score.bin_of[number] = static_cast<std::uint16_t>(find(values.data()[item.row]));
          }
        })) {
      return cancelled();
    }
    columns->scores.push_back(std::move(score));
  }
  columns->reliability = reliability;
  if (reliability && !reliability->diagram.bins.empty()) {
    columns->reliability_edges = edgesOf(reliability->diagram);
    columns->judged.resize(items);
    const ReliabilityBins find(columns->reliability_edges, reliability->options.equal_mass);
    if (!visitItems(analysis, context, [&](ItemRef item, std::size_t number) {
          if (const auto judged = judgedItem(*analysis.partOf(item).run, item.row, item.part > 0,
                                             reliability->options)) {
            columns->judged[number] = {find(judged->probability), judged->is_right};
          }
        })) {
      return cancelled();
    }
  }
  return SelectionColumnsPtr(std::move(columns));
}

}  // namespace dubito
