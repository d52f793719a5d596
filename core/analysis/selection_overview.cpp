// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/selection_overview.h"

#include <map>
#include <mutex>
#include <span>
#include <utility>

#include "core/analysis/item_chunks.h"
#include "core/analysis/listed_items.h"
#include "core/analysis/selection_counts.h"

namespace dubito {
namespace {

/// The positions of the items of a chunk that are listed.
std::vector<std::uint32_t> positionsOf(std::span<const std::uint8_t> listed) {
  std::vector<std::uint32_t> positions(listed.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    positions[count] = static_cast<std::uint32_t>(i);
    count += listed[i];
  }
  positions.resize(count);
  return positions;
}

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
          curves[i] = curvesOfChosen(rankings[i], marks, negatives, detail, context);
        }
      });
  return curves;
}

}  // namespace

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

Expected<SelectionOverviewPtr> overviewOfSelection(const Analysis& analysis, const ItemQuery& query,
                                                   const SelectionBasis& basis,
                                                   RunContext& context) {
  const SelectionColumns& columns = *basis.columns;
  const JudgedItems* const judged = basis.judged.get();
  std::vector<ItemMark> marks(columns.groups.size());
  std::mutex joining;
  // By the number of their first item: added up in that order, the result does not depend on the
  // number of threads.
  std::map<std::size_t, SelectionCounts> chunks;
  if (!forEachItemChunk(analysis, context, [&](const ItemChunk& chunk) {
        std::vector<std::uint8_t> listed(static_cast<std::size_t>(chunk.end - chunk.begin));
        markListed(analysis, query, {chunk.part, chunk.begin}, listed);
        const std::size_t first = chunk.number(chunk.begin);
        for (std::size_t i = 0; i < listed.size(); ++i) {
          marks[first + i] =
              listed[i] != 0 ? markOf(columns.groups[first + i]) : ItemMark::kNotChosen;
        }
        SelectionCounts mine(columns, judged);
        mine.add(*analysis.parts[static_cast<std::size_t>(chunk.part)].run, chunk,
                 positionsOf(listed));
        const std::lock_guard lock(joining);
        chunks.emplace(first, std::move(mine));
      })) {
    return cancelled();
  }
  SelectionCounts counts(columns, judged);
  for (const auto& [first, of_chunk] : chunks) {
    counts.add(of_chunk);
  }
  auto result = std::make_shared<SelectionOverview>(counts.overview(analysis));
  if (basis.rankings) {
    const bool sampled = basis.preview && isSampleEnough(*basis.preview, result->itemCount());
    addCurves(curvesOf(sampled ? *basis.preview : *basis.rankings, marks, negativesOf(analysis),
                       basis.preview ? CurveDetail::kPoints : CurveDetail::kWithSummary, context),
              *result);
  }
  return SelectionOverviewPtr(std::move(result));
}

}  // namespace dubito
