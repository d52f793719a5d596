// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/labels/decision.h"
#include "core/labels/label_class.h"
#include "core/labels/remark.h"
#include "core/review/formats/label_note.h"

namespace dubito {

/// A label of an item, or another decision about it. Empty members are unknown.
struct LabelRow {
  std::optional<std::int64_t> item = {};  ///< id of the dataset
  std::string path = {};                  ///< relative path or "#17"; components separated by '/'
  std::optional<std::int64_t> class_id = {};  ///< of LabelTable::classes
  std::optional<LabelAction> action = {};
  std::optional<LabelOrigin> origin = {};
  std::optional<std::int64_t> previous_class = {};
  std::optional<LabelOrigin> previous_origin = {};
  std::string annotator = {};
  std::int64_t time_ms = 0;  ///< since 1970-01-01 UTC; 0: unknown
  /// Probability of the class, for rows without `probs`.
  std::optional<float> probability = {};
  std::vector<float> probs = {};  ///< [K]
  /// Whether this is the label of its item. False for earlier, undone and other annotators'
  /// decisions.
  bool present = true;

  std::string content_hash = {};
  std::int64_t spent_ms = 0;
  std::optional<bool> prediction_shown = {};
  std::string queue = {};
  std::string run = {};
  std::int64_t sequence = 0;
  std::int64_t step = 0;
  bool undone = false;

  /// Another path under which the item may be known; only for matching, not part of the label.
  std::string second_path = {};

  friend bool operator==(const LabelRow&, const LabelRow&) = default;
};

/// Labels of the items of one dataset, independent of where they are stored.
struct LabelTable {
  std::vector<LabelClass> classes;
  std::vector<LabelRow> rows;
  /// Names that the outputs of the network had at first, by class id; empty if unknown.
  std::vector<std::string> network_classes = {};
  /// Comments on items (LabelRow::item) and texts about `classes`; none is empty.
  std::vector<Remark> remarks = {};
};

/// Classes by id, after merges.
class ClassNames {
 public:
  explicit ClassNames(std::span<const LabelClass> classes);

  /// nullptr without an id. Throws std::invalid_argument for an unknown id.
  [[nodiscard]] const std::string* of(std::optional<std::int64_t> id) const;
  /// of(id), or "".
  [[nodiscard]] std::string text(std::optional<std::int64_t> id) const;
  /// The class that `id` counts as. Throws std::invalid_argument for an unknown id.
  [[nodiscard]] std::int64_t merged(std::int64_t id) const;
  [[nodiscard]] bool contains(std::int64_t id) const { return classes_.contains(id); }

 private:
  struct Merged {
    std::int64_t id;
    std::string name;
  };
  [[nodiscard]] const Merged& find(std::int64_t id) const;

  std::unordered_map<std::int64_t, Merged> classes_;
};

/// Ids of classes by name, for readers.
class ClassIds {
 public:
  /// Adds to `classes`, which must outlive this object.
  explicit ClassIds(std::vector<LabelClass>& classes);

  /// The id of the class `name`; a new class gets `wanted_id`, or the next free id if that is
  /// taken, negative or absent.
  std::int64_t idOf(std::string_view name, std::optional<std::int64_t> wanted_id = {});

 private:
  std::vector<LabelClass>& classes_;
  std::unordered_map<std::string, std::int64_t> ids_;
  std::unordered_map<std::int64_t, std::string> names_;
  std::int64_t next_ = 0;
};

/// The path, or "#17" for item 17 without a path; "" if both are unknown.
[[nodiscard]] std::string itemText(const LabelRow& row);

/// Probability of the row's class: the sum of `probs` over the classes that count as it, else
/// `probability`.
[[nodiscard]] std::optional<float> classProbability(const LabelRow& row, const ClassNames& names);

/// Whether the row settles what its item is: a class, none of them, or that nobody can tell.
/// Skipped and flagged items are undecided.
[[nodiscard]] bool isDecided(const LabelRow& row);

/// Positions of the rows with present == true, in order.
[[nodiscard]] std::vector<std::size_t> presentRows(const LabelTable& table);
/// Those of them with a path or an id; a note counts the others.
[[nodiscard]] std::vector<std::size_t> namedRows(const LabelTable& table,
                                                 std::vector<LabelNote>& notes);

}  // namespace dubito
