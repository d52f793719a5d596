// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/item_query.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/analysis/item_attributes.h"
#include "core/analysis/item_numbers.h"
#include "core/analysis/listed_items.h"
#include "core/base/nan.h"
#include "core/metrics/keyed_item.h"
#include "core/metrics/radix_sort.h"
#include "core/metrics/sorted_scores.h"

namespace dubito {
namespace {

/// [row] place of each row of a part in the order of its dataset, or of its ids without one; NaN
/// for items that the dataset lacks.
std::vector<double> placesOfItems(const AnalysisPart& part) {
  std::vector<double> places(static_cast<std::size_t>(part.run->itemCount()));
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (part.dataset) {
      const std::int64_t index = part.dataset_index[i];
      places[i] = index < 0 ? kNaN : static_cast<double>(index);
    } else {
      const std::size_t row =
          part.rows_by_id.empty() ? i : static_cast<std::size_t>(part.rows_by_id[i]);
      places[row] = static_cast<double>(i);
    }
  }
  return places;
}

/// The values by which a query sorts the rows of one part.
class SortKeys {
 public:
  /// `first`: added to the places of the items of this part.
  SortKeys(const Analysis& analysis, const ItemQuery& query, std::int32_t part, double first,
           std::vector<double> of_attribute)
      : analysis_(analysis), query_(query), part_(part), first_(first) {
    if (query.sort_column == ItemColumn::kItem) {
      values_ = placesOfItems(analysis.partOf({part, 0}));
    } else if (query.sort_attribute) {
      values_ = std::move(of_attribute);
    }
  }

  /// NaN for items without a value.
  [[nodiscard]] double operator()(std::int64_t row) const {
    const AnalysisPart& part = analysis_.partOf({part_, row});
    if (query_.sort_column) {
      return ofColumn(part, row);
    }
    if (query_.sort_attribute) {
      return values_.empty() ? kNaN : values_[static_cast<std::size_t>(row)];
    }
    return part.has(query_.sort) ? part.rank(query_.sort, row) : kNaN;
  }

 private:
  [[nodiscard]] double ofColumn(const AnalysisPart& part, std::int64_t row) const {
    const auto ofClass = [](std::int64_t k) { return k < 0 ? kNaN : static_cast<double>(k); };
    switch (*query_.sort_column) {
      case ItemColumn::kItem:
        return first_ + values_[static_cast<std::size_t>(row)];
      case ItemColumn::kLabel:
        return part_ > 0 ? kNaN : ofClass(part.run->labels.data()[row]);
      case ItemColumn::kPredicted:
        return ofClass(part.run->predictions.data()[row]);
      case ItemColumn::kLoss:
        return analysis_.lossOf({part_, row});
    }
    return kNaN;
  }

  const Analysis& analysis_;
  const ItemQuery& query_;
  std::int32_t part_;
  double first_;
  std::vector<double> values_;
};

}  // namespace

ItemGroup groupOf(const Analysis& analysis, ItemRef item) {
  if (item.part > 0) {
    return ItemGroup::kOod;
  }
  const Run& run = *analysis.in().run;
  const std::int64_t label = run.labels.data()[item.row];
  if (label < 0) {
    return ItemGroup::kUnlabelled;
  }
  return label == run.predictions.data()[item.row] ? ItemGroup::kCorrect
                                                   : ItemGroup::kMisclassified;
}

std::optional<ReliabilityBinFilter> filterOfBin(const Reliability& reliability, int bin) {
  const std::vector<ReliabilityBin>& bins = reliability.diagram.bins;
  if (bin < 0 || static_cast<std::size_t>(bin) >= bins.size()) {
    return std::nullopt;
  }
  const ReliabilityBin& chosen = bins[static_cast<std::size_t>(bin)];
  const bool is_last = static_cast<std::size_t>(bin) + 1 == bins.size();
  return ReliabilityBinFilter{reliability.options, bin, is_last, {chosen.low, chosen.high}};
}

ItemQuery defaultQuery(const Analysis& analysis) {
  ItemQuery query;
  query.group =
      analysis.overview.misclassified > 0 ? GroupFilter::kMisclassified : GroupFilter::kAll;
  for (const Measure measure : {Measure::kMutualInformation, Measure::kEntropy}) {
    if (analysis.in().has(measure)) {
      query.sort = measure;
      return query;
    }
  }
  query.sort = Measure::kConfidence;
  query.descending = false;
  return query;
}

bool operator==(const AttributeFilter& a, const AttributeFilter& b) {
  const auto* const mine = std::get_if<Interval>(&a.wanted);
  const auto* const other = std::get_if<Interval>(&b.wanted);
  if (a.name != b.name || (mine == nullptr) != (other == nullptr)) {
    return false;
  }
  return mine != nullptr ? mine->low == other->low && mine->high == other->high
                         : std::get<std::string>(a.wanted) == std::get<std::string>(b.wanted);
}

bool canAnswer(const Analysis& analysis, const ItemQuery& query) {
  const std::int64_t classes = analysis.in().run->classCount();
  const auto isClass = [classes](std::int64_t k) {
    return k >= 0 && (classes == 0 || k < classes);
  };
  return analysis.in().has(query.sort) && isClass(query.predicted.value_or(0)) &&
         isClass(query.label.value_or(0)) &&
         (!query.cell || (isClass(query.cell->label) && isClass(query.cell->predicted))) &&
         (!query.sort_attribute || hasAttribute(analysis, *query.sort_attribute)) &&
         (query.sort_column != ItemColumn::kLoss || !analysis.losses.empty()) &&
         (!query.attribute || hasAttribute(analysis, query.attribute->name));
}

ItemRefs findItems(const Analysis& analysis, const ItemQuery& query) {
  if (analysis.itemCount() > std::numeric_limits<std::uint32_t>::max()) {
    throw std::length_error("findItems: more than 2^32 - 1 items");
  }
  std::vector<std::vector<double>> attribute_keys =
      query.sort_attribute ? attributeSortKeys(analysis, *query.sort_attribute)
                           : std::vector<std::vector<double>>(analysis.parts.size());
  const ItemNumbers numbers(analysis);
  std::vector<KeyedItem> found;
  std::vector<std::uint32_t> without_value;
  double first = 0.0;
  for (std::size_t p = 0; p < analysis.parts.size(); ++p) {
    const AnalysisPart& part = analysis.parts[p];
    const SortKeys keys(analysis, query, static_cast<std::int32_t>(p), first,
                        std::move(attribute_keys[p]));
    std::vector<std::uint8_t> listed(static_cast<std::size_t>(part.run->itemCount()));
    markListed(analysis, query, {static_cast<std::int32_t>(p), 0}, listed);
    for (std::int64_t row = 0; row < part.run->itemCount(); ++row) {
      if (listed[static_cast<std::size_t>(row)] == 0) {
        continue;
      }
      const auto item = static_cast<std::uint32_t>(numbers.firstOf(p) + row);
      if (const double value = keys(row); std::isnan(value)) {
        without_value.push_back(item);
      } else {
        found.emplace_back(SortedScores::keyOf(query.descending ? -value : value), item);
      }
    }
    first += static_cast<double>(part.dataset ? part.dataset->size() : part.run->itemCount());
  }
  radixSort(found, RunContext());  // stable
  std::vector<std::uint32_t> items;
  items.reserve(found.size() + without_value.size());
  for (const KeyedItem& entry : found) {
    items.push_back(entry.item);
  }
  items.insert(items.end(), without_value.begin(), without_value.end());
  return {numbers, std::move(items)};
}

}  // namespace dubito
