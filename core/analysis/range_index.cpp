// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/range_index.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/metrics/counted_curves.h"
#include "core/metrics/keyed_item.h"
#include "core/metrics/radix_sort.h"
#include "core/metrics/sorted_scores.h"

namespace dubito {
namespace {

/// Blocks up to this number are as long as RangeIndex::kLeastBlock demands.
constexpr std::size_t kUsualBlocks = 128;
/// No block is longer, so that 16 bits hold its counts.
constexpr std::size_t kLongestBlock = std::numeric_limits<std::uint16_t>::max();
/// From one sum over all blocks before to the next: a range adds up fewer blocks at each end.
constexpr std::size_t kBlocksPerSum = 8;
constexpr std::uint32_t kNoPlace = std::numeric_limits<std::uint32_t>::max();

template <class T>
void addRow(const T* row, std::size_t length, std::uint32_t* sums) {
  for (std::size_t i = 0; i < length; ++i) {
    sums[i] += row[i];
  }
}

/// Correct and misclassified items, and OOD items if there are any.
std::size_t marksOf(const Analysis& analysis) {
  return static_cast<std::size_t>(analysis.parts.size() > 1 ? ItemGroup::kOod
                                                            : ItemGroup::kMisclassified) +
         1;
}

}  // namespace

RangeIndex::RangeIndex(AnalysisPtr analysis, Measure measure, SelectionBasis basis)
    : analysis_(std::move(analysis)),
      measure_(measure),
      basis_(std::move(basis)),
      numbers_(*analysis_),
      place_of_(static_cast<std::size_t>(numbers_.count()), kNoPlace),
      marks_(marksOf(*analysis_)) {}

Expected<RangeIndexPtr> RangeIndex::make(AnalysisPtr analysis, Measure measure,
                                         SelectionBasis basis, const RunContext& context) {
  std::shared_ptr<RangeIndex> index(new RangeIndex(std::move(analysis), measure, std::move(basis)));
  index->sortItems(context);
  if (!context.cancelRequested()) {
    index->countBlocks(context);
  }
  if (index->basis_.rankings) {
    for (const ItemRanking& ranking : *index->basis_.rankings) {
      if (!context.cancelRequested()) {
        index->rankings_.push_back(index->countRanking(ranking, context));
      }
    }
  }
  if (context.cancelRequested()) {
    return cancelled();
  }
  return index;
}

void RangeIndex::sortItems(const RunContext& context) {
  std::vector<KeyedItem> entries;
  entries.reserve(place_of_.size());
  for (std::size_t p = 0; p < analysis_->parts.size(); ++p) {
    std::int64_t item = numbers_.firstOf(p);
    for (const double value : analysis_->parts[p].values(measure_).values()) {
      if (!std::isnan(value)) {  // in no range
        entries.emplace_back(SortedScores::keyOf(value), static_cast<std::uint32_t>(item));
      }
      ++item;
    }
  }
  radixSort(entries, context);
  items_.resize(entries.size());
  for (std::size_t place = 0; place < entries.size(); ++place) {
    items_[place] = entries[place].item;
    place_of_[entries[place].item] = static_cast<std::uint32_t>(place);
  }
  block_ =
      std::clamp((items_.size() + kUsualBlocks - 1) / kUsualBlocks, kLeastBlock, kLongestBlock);
}

template <class Visit>
void RangeIndex::forEachMark(const ItemRanking& ranking, Places places, const Visit& visit) const {
  const ItemGroup* const groups = basis_.columns->groups.data();
  for (std::size_t place = places.begin; place < places.end; ++place) {
    const std::uint32_t item = items_[place];
    const std::size_t block = ranking.block_of[item];
    const auto group = static_cast<std::size_t>(groups[item]);
    if (block != ItemRanking::kNoBlock && group < marks_) {
      visit(marks_ * block + group);
    }
  }
}

void RangeIndex::countBlocks(const RunContext& context) {
  counts_ = std::vector(blocks(), SelectionCounts(*basis_.columns, basis_.judged.get()));
  context.forEach(blocks(), [&](std::size_t block) {
    if (!context.cancelRequested()) {
      addItems({block * block_, (block + 1) * block_}, counts_[block]);
    }
  });
}

RangeIndex::RankingCounts RangeIndex::countRanking(const ItemRanking& ranking,
                                                   const RunContext& context) const {
  const std::size_t row = marks_ * ranking.block_ends.size();
  RankingCounts counts;
  counts.of_block.resize(blocks() * row);
  context.forEach(blocks(), [&](std::size_t block) {
    std::uint16_t* const of_block = counts.of_block.data() + block * row;
    forEachMark(ranking, {block * block_, (block + 1) * block_},
                [&](std::size_t at) { ++of_block[at]; });
  });
  const std::size_t sums = blocks() / kBlocksPerSum;
  counts.of_before.resize((sums + 1) * row);
  for (std::size_t sum = 0; sum < sums; ++sum) {
    std::uint32_t* const next = counts.of_before.data() + (sum + 1) * row;
    std::copy_n(next - row, row, next);
    for (std::size_t block = sum * kBlocksPerSum; block < (sum + 1) * kBlocksPerSum; ++block) {
      addRow(counts.of_block.data() + block * row, row, next);
    }
  }
  return counts;
}

bool RangeIndex::isOf(const AnalysisPtr& analysis, Measure measure,
                      const SelectionBasis& basis) const {
  return measure == measure_ && analysis == analysis_ && basis.columns == basis_.columns &&
         basis.judged == basis_.judged && basis.rankings == basis_.rankings;
}

bool RangeIndex::isRangeAlone(const ItemQuery& query) {
  ItemQuery alone;
  alone.group = GroupFilter::kAll;
  alone.range = query.range;
  // The order of the list does not matter.
  alone.sort = query.sort;
  alone.sort_attribute = query.sort_attribute;
  alone.sort_column = query.sort_column;
  alone.descending = query.descending;
  return query.range && query == alone;
}

double RangeIndex::valueOf(std::uint32_t item) const {
  const ItemRef of_part = numbers_.item(item);
  return analysis_->partOf(of_part).values(measure_).data()[of_part.row];
}

RangeIndex::Places RangeIndex::placesOf(Interval range) const {
  const auto value = [this](std::uint32_t item) { return valueOf(item); };
  const auto begin = std::ranges::lower_bound(items_, range.low, {}, value);
  const auto end = std::ranges::upper_bound(items_, range.high, {}, value);
  const auto first = static_cast<std::size_t>(begin - items_.begin());
  return {first, std::max(first, static_cast<std::size_t>(end - items_.begin()))};
}

RangeIndex::Parts RangeIndex::partsOf(Places places) const {
  const std::size_t first = (places.begin + block_ - 1) / block_;
  const std::size_t last = std::min(places.end / block_, blocks());
  return first < last
             ? Parts{first, last, {places.begin, first * block_}, {last * block_, places.end}}
             : Parts{0, 0, places, {}};
}

std::int64_t RangeIndex::itemsRead(Interval range) const {
  const Parts parts = partsOf(placesOf(range));
  return static_cast<std::int64_t>(parts.before.end - parts.before.begin + parts.after.end -
                                   parts.after.begin);
}

void RangeIndex::addItems(Places places, SelectionCounts& counts) const {
  std::vector<std::vector<std::uint32_t>> rows(analysis_->parts.size());
  for (std::size_t place = places.begin; place < places.end; ++place) {
    const ItemRef item = numbers_.item(items_[place]);
    rows[static_cast<std::size_t>(item.part)].push_back(static_cast<std::uint32_t>(item.row));
  }
  for (std::size_t p = 0; p < rows.size(); ++p) {
    const Run& run = *analysis_->parts[p].run;
    counts.add(run, {static_cast<std::int32_t>(p), 0, run.itemCount(), numbers_.firstOf(p)},
               rows[p]);
  }
}

SelectionCounts RangeIndex::countsOf(const Parts& parts) const {
  SelectionCounts counts(*basis_.columns, basis_.judged.get());
  addItems(parts.before, counts);
  for (std::size_t block = parts.first_block; block < parts.last_block; ++block) {
    counts.add(counts_[block]);
  }
  addItems(parts.after, counts);
  return counts;
}

RankedCurves RangeIndex::curvesOf(std::size_t ranking_number, Places places,
                                  const Parts& parts) const {
  const ItemRanking& ranking = (*basis_.rankings)[ranking_number];
  const RankingCounts& known = rankings_[ranking_number];
  const std::size_t row = marks_ * ranking.block_ends.size();
  // Of all blocks before the last one of the range, less those before its first.
  std::vector<std::uint32_t> counts(row);
  std::vector<std::uint32_t> before(row);
  const auto addBlocksBefore = [&](std::size_t end, std::vector<std::uint32_t>& sums) {
    const std::size_t sum = end / kBlocksPerSum;
    addRow(known.of_before.data() + sum * row, row, sums.data());
    for (std::size_t block = sum * kBlocksPerSum; block < end; ++block) {
      addRow(known.of_block.data() + block * row, row, sums.data());
    }
  };
  if (parts.first_block < parts.last_block) {
    addBlocksBefore(parts.last_block, counts);
    addBlocksBefore(parts.first_block, before);
    for (std::size_t i = 0; i < row; ++i) {
      counts[i] -= before[i];
    }
  }
  for (const Places& edge : {parts.before, parts.after}) {
    forEachMark(ranking, edge, [&](std::size_t at) { ++counts[at]; });
  }
  const bool has_ood = marks_ > static_cast<std::size_t>(ItemGroup::kOod);
  const ItemGroup* const groups = basis_.columns->groups.data();
  return countedCurves(
      ranking,
      [&](std::size_t block) {
        const std::uint32_t* const marks = counts.data() + marks_ * block;
        return GroupCounts{marks[0], marks[1],
                           has_ood ? marks[static_cast<std::size_t>(ItemGroup::kOod)] : 0};
      },
      [&](std::uint32_t item) {
        return place_of_[item] - places.begin < places.end - places.begin ? markOf(groups[item])
                                                                          : ItemMark::kNotChosen;
      },
      negativesOf(*analysis_), CurveDetail::kPoints);
}

Expected<SelectionOverviewPtr> RangeIndex::overview(Interval range,
                                                    const RunContext& context) const {
  const Places places = placesOf(range);
  const Parts parts = partsOf(places);
  std::optional<SelectionCounts> counts;
  std::vector<RankedCurves> curves(rankings_.size());
  context.forEach(curves.size() + 1, [&](std::size_t i) {
    if (i < curves.size()) {
      curves[i] = curvesOf(i, places, parts);
    } else {
      counts.emplace(countsOf(parts));
    }
  });
  if (context.cancelRequested()) {
    return cancelled();
  }
  auto result = std::make_shared<SelectionOverview>(counts->overview(*analysis_));
  addCurves(std::move(curves), *result);
  return SelectionOverviewPtr(std::move(result));
}

}  // namespace dubito
