// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/analysis/item_refs.h"
#include "core/base/plot_values.h"
#include "core/metrics/run_reliability.h"

namespace dubito {

/// Outcome group of an item.
enum class ItemGroup : std::uint8_t { kCorrect, kMisclassified, kOod, kUnlabelled };
[[nodiscard]] ItemGroup groupOf(const Analysis& analysis, ItemRef item);

/// Groups shown in a list.
enum class GroupFilter { kAll, kCorrect, kMisclassified, kOod };

/// Items whose `measure` lies in the closed interval.
struct MeasureRange {
  Measure measure = Measure::kConfidence;
  Interval range;
  friend bool operator==(const MeasureRange& a, const MeasureRange& b) {
    return a.measure == b.measure && a.range.low == b.range.low && a.range.high == b.range.high;
  }
};

/// Items with the wanted attribute value. Items without the attribute or without a value match only
/// the empty text.
struct AttributeFilter {
  std::string name;
  /// The text (numbers as displayed), or a closed interval of numbers.
  std::variant<std::string, Interval> wanted;
  friend bool operator==(const AttributeFilter& a, const AttributeFilter& b);
};

/// Items in one bin (low, high] of a reliability diagram, by the probability that the diagram
/// assesses. The first and the last bin extend to infinity.
struct ReliabilityBinFilter {
  ReliabilityOptions options;
  int bin = 0;
  bool is_last = false;
  Interval range;
  friend bool operator==(const ReliabilityBinFilter& a, const ReliabilityBinFilter& b) {
    return a.options == b.options && a.bin == b.bin && a.is_last == b.is_last &&
           a.range.low == b.range.low && a.range.high == b.range.high;
  }
};
/// The filter for a bin of `reliability`; nullopt for an invalid bin.
[[nodiscard]] std::optional<ReliabilityBinFilter> filterOfBin(const Reliability& reliability,
                                                              int bin);

/// Items of one true class with one predicted class.
struct ClassPair {
  std::int64_t label = 0;
  std::int64_t predicted = 0;
  friend bool operator==(const ClassPair&, const ClassPair&) = default;
};

/// What items can be sorted by in addition to measures and attributes.
enum class ItemColumn : std::uint8_t {
  kItem,       ///< parts in order, and in each the positions in its dataset; without one, the ids
  kLabel,      ///< number of the true class
  kPredicted,  ///< number of the predicted class
  kLoss,       ///< Analysis::lossOf
};
inline constexpr std::array kItemColumns{ItemColumn::kItem, ItemColumn::kLabel,
                                         ItemColumn::kPredicted, ItemColumn::kLoss};

/// A selection of individual items.
struct PickedItems {
  std::string name;  ///< why they were picked: "disagrees with MAP softmax"
  /// For the rows of all parts, part after part: whether picked. Rows beyond its end are not
  /// picked.
  std::shared_ptr<const std::vector<bool>> rows;
  friend bool operator==(const PickedItems&, const PickedItems&) = default;
};

/// The items that a list shows, and their order. Items must match all conditions that are set.
struct ItemQuery {
  GroupFilter group = GroupFilter::kMisclassified;
  /// Predicted class.
  std::optional<std::int64_t> predicted;
  /// True class; OOD items have none.
  std::optional<std::int64_t> label;
  /// A range dragged in a histogram.
  std::optional<MeasureRange> range;
  /// A bin of the reliability diagram.
  std::optional<ReliabilityBinFilter> reliability_bin;
  /// A cell of the confusion matrix.
  std::optional<ClassPair> cell;
  std::optional<AttributeFilter> attribute;
  std::optional<PickedItems> picked;

  Measure sort = Measure::kMutualInformation;
  /// Attribute or column to sort by instead of `sort`; at most one of them is set.
  std::optional<std::string> sort_attribute;
  std::optional<ItemColumn> sort_column;
  bool descending = true;

  friend bool operator==(const ItemQuery&, const ItemQuery&) = default;
};

/// Whether items were selected in a plot, in addition to the group.
[[nodiscard]] inline bool hasSelection(const ItemQuery& query) {
  return query.range.has_value() || query.reliability_bin.has_value() || query.cell.has_value() ||
         query.picked.has_value();
}

/// The default view: misclassified items if there are any, else all; the most uncertain first.
[[nodiscard]] ItemQuery defaultQuery(const Analysis& analysis);

/// Whether the analysis has the measures and attributes that `query` uses.
[[nodiscard]] bool canAnswer(const Analysis& analysis, const ItemQuery& query);

/// Whether the item matches `query`.
[[nodiscard]] bool isListed(const Analysis& analysis, const ItemQuery& query, ItemRef item);

/// The items that match `query`, in its order; equal values keep the order of parts and rows. Items
/// without the sorting measure, attribute or column come last. Blocking; for a worker thread.
[[nodiscard]] ItemRefs findItems(const Analysis& analysis, const ItemQuery& query);

}  // namespace dubito
