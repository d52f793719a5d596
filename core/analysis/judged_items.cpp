// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/judged_items.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/analysis/part_rows.h"
#include "core/metrics/bin_finder.h"

namespace dubito {
namespace {

/// The bins of a reliability diagram, found by value. There is a bin.
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
  if (!visitPartRows(analysis, context, [&](const PartRows& range) {
        const Run& run = *analysis.parts[static_cast<std::size_t>(range.part)].run;
        for (std::int64_t row = range.begin; row < range.end; ++row) {
          if (const auto item = judgedItem(run, row, range.part > 0, options)) {
            judged->places[range.number(row)] = {find(item->probability), item->is_right};
          }
        }
      })) {
    return cancelled();
  }
  return JudgedItemsPtr(std::move(judged));
}

}  // namespace dubito
