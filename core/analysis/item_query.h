// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/base/plot_values.h"
#include "core/metrics/reliability.h"

namespace dubito {

/// What became of an item.
enum class ItemGroup : std::uint8_t { kCorrect, kMisclassified, kOod, kUnlabelled };
[[nodiscard]] ItemGroup groupOf(const Analysis& analysis, ItemRef item);

/// Which groups a list shows.
enum class GroupFilter { kAll, kCorrect, kMisclassified, kOod };

/// Items whose `measure` lies in the closed interval.
struct MeasureRange {
  Measure measure = Measure::kConfidence;
  Interval range;
  friend bool operator==(const MeasureRange& a, const MeasureRange& b) {
    return a.measure == b.measure && a.range.low == b.range.low && a.range.high == b.range.high;
  }
};

/// Items whose attribute is what is wanted. Items without the attribute, or without a value, match
/// the empty text alone.
struct AttributeFilter {
  std::string name;
  /// The text (of a number: as people read it), or a closed interval of numbers.
  std::variant<std::string, Interval> wanted;
  friend bool operator==(const AttributeFilter& a, const AttributeFilter& b);
};

/// Judged items whose probability lies in a bin of a reliability diagram: (low, high], the first
/// and the last bin open to what lies beyond them.
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
/// The filter for a bin of `reliability`; nothing if it has no such bin.
[[nodiscard]] std::optional<ReliabilityBinFilter> filterOfBin(const Reliability& reliability,
                                                              int bin);

/// Items of one class that are predicted as another, or the same.
struct ClassPair {
  std::int64_t label = 0;
  std::int64_t predicted = 0;
  friend bool operator==(const ClassPair&, const ClassPair&) = default;
};

/// Items picked one by one, with what they have in common in words; rows of part after part.
struct PickedItems {
  std::string name;                               ///< "disagrees with MAP softmax"
  std::shared_ptr<const std::vector<bool>> rows;  ///< what lies beyond its end is not picked
  friend bool operator==(const PickedItems&, const PickedItems&) = default;
};

/// Which items a list shows, and in which order. Everything that is set must hold.
struct ItemQuery {
  GroupFilter group = GroupFilter::kMisclassified;
  /// Class that the model predicts.
  std::optional<std::int64_t> predicted;
  /// Class that is true; OOD items have none.
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
  /// Sorts in place of the measure.
  std::optional<std::string> sort_attribute;
  bool descending = true;

  friend bool operator==(const ItemQuery&, const ItemQuery&) = default;
};

/// Something narrower than the groups was picked in a plot.
[[nodiscard]] inline bool hasSelection(const ItemQuery& query) {
  return query.range.has_value() || query.reliability_bin.has_value() || query.cell.has_value() ||
         query.picked.has_value();
}

/// The default view: misclassified items where there are any, else all; the most uncertain first.
[[nodiscard]] ItemQuery defaultQuery(const Analysis& analysis);

/// The analysis has the measure and the attributes that `query` speaks of.
[[nodiscard]] bool canAnswer(const Analysis& analysis, const ItemQuery& query);

/// `query` asks for the item, among others.
[[nodiscard]] bool isListed(const Analysis& analysis, const ItemQuery& query, ItemRef item);

/// The items that `query` asks for, in its order; equal values keep the order of the parts and
/// rows. Items without the sorting measure or attribute come last. Blocking; for a worker thread.
[[nodiscard]] std::vector<ItemRef> findItems(const Analysis& analysis, const ItemQuery& query);

}  // namespace dubito
