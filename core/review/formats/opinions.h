// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/review/formats/label_note.h"
#include "core/review/formats/label_table.h"

namespace dubito {

/// The labels of one item, weighed against each other.
struct WeighedLabels {
  std::size_t counts = 0;  ///< position of the row whose label counts
  /// Positions of the rows with the newest label of each other named annotator, ascending.
  std::vector<std::size_t> others = {};
  /// Rows without the name of an annotator, or replaced by a newer one of the same annotator.
  std::size_t dropped = 0;
  bool differ = false;  ///< whether the opinions name different classes
  bool tie = false;     ///< whether no class has more opinions than each other one
};

/// Weighs `rows` (positions of `table`, at least one, in the order of the file), the labels of one
/// item. Each named annotator has one opinion, the newest label (by time, then by position); each
/// row without a name is one. The class of most opinions counts, in a tie that of them whose
/// opinion comes first; its row is the first with that class. Throws std::invalid_argument without
/// rows.
[[nodiscard]] WeighedLabels weighLabels(const LabelTable& table, std::span<const std::size_t> rows);

/// Counts items with several labels, for the notes of an import.
class WeighedItems {
 public:
  /// `name` of the item and the names of the different classes.
  void add(const WeighedLabels& weighed, const std::string& name, const LabelTable& table,
           std::span<const std::size_t> rows);
  /// Notes the items whose labels differ, by majority and by order, and the labels left out.
  void addNotes(std::vector<LabelNote>& notes);

 private:
  std::vector<std::string> majorities_, ties_;
  std::int64_t dropped_ = 0;
};

}  // namespace dubito
