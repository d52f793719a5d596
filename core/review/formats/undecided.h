// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/review/formats/label_note.h"
#include "core/review/formats/label_table.h"

namespace dubito {

struct Run;

/// Treatment of items without a decision if reviewed labels are used.
enum class Undecided : std::uint8_t {
  kKeep,     ///< they keep the label that the dataset gives them
  kDrop,     ///< they are left out
  kSuggest,  ///< they get the suggestion of a run, if its probability is high enough
};

/// "keep", "drop", "suggest".
[[nodiscard]] std::string_view keyOf(Undecided undecided);
/// Nothing for an unknown key.
[[nodiscard]] std::optional<Undecided> undecidedOfKey(std::string_view key);

/// An item of a dataset that may have no decision.
struct UndecidedItem {
  std::int64_t id = 0;
  std::string path = {};                   ///< "" if unknown
  std::optional<std::int64_t> given = {};  ///< number of the dataset's class; empty: unknown
  std::optional<std::int64_t> suggested = {};
  float probability = 0.0F;  ///< of the suggestion; NaN: unknown, which is never enough
};

/// Items and the names of their classes, by number.
struct UndecidedItems {
  std::vector<UndecidedItem> items;
  std::vector<std::string> class_names;
};

/// A label as runs and datasets store it; empty for a negative one, which is unknown.
[[nodiscard]] std::optional<std::int64_t> knownLabel(std::int64_t label);

/// The items of a run with the given labels and the suggestions, without paths. O(N).
[[nodiscard]] UndecidedItems undecidedItemsOf(const Run& run);

/// Adds a label for each item that has neither a class nor the decision that there is none (skipped
/// and flagged items are undecided). A number beyond the names of the classes is its own name. A
/// name that the table's classes have had at first (LabelTable::network_classes) means that class.
/// Labels that are given come from the dataset, suggested ones from a model, at least
/// `min_probability` sure. Notes count what was added, and what remains undecided.
[[nodiscard]] std::vector<LabelNote> addUndecided(LabelTable& table, const UndecidedItems& items,
                                                  Undecided undecided, double min_probability);

/// Gives labels of a model that have no probability that of the suggestion for their item, if it is
/// of the same class: label stores keep none of automatic labels, but tools show and sort by them.
/// Returns the number of labels.
std::int64_t addSuggestedScores(LabelTable& table, const UndecidedItems& items);

}  // namespace dubito
