// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/labels/decision.h"
#include "core/labels/label_class.h"
#include "core/labels/label_store.h"
#include "core/review/formats/label_note.h"
#include "core/review/formats/label_table.h"

namespace dubito {

/// The table of a label store: its journal in order, in which the decisions that are the present
/// labels are marked. Items whose decision is not in `journal` get a row from their label alone.
[[nodiscard]] LabelTable labelTable(std::span<const LabelClass> classes,
                                    std::span<const PresentLabel> labels,
                                    std::span<const RecordedDecision> journal);

/// The same of everything in `store`. Errors of its functions.
[[nodiscard]] Expected<LabelTable> labelTable(LabelStore& store);

/// Gives the classes of a store the names, colours, keys and merges that they have in the table of
/// another store (a format that keeps LabelPart::kClassDetails). A class is the same if the network
/// of both called it the same at first; else if it has the same name. A rename, merge or key that
/// contradicts what the store has meanwhile is left out and noted. Errors of LabelStore.
[[nodiscard]] Expected<std::vector<LabelNote>> adoptClassDetails(LabelStore& store,
                                                                 const LabelTable& table,
                                                                 const std::string& annotator);

/// Gives a store the comments and texts about classes of a table. `items` as for decisionsOf();
/// `annotator` is the author of those that name none. Returns their number. Errors of LabelStore.
[[nodiscard]] Expected<std::int64_t> recordRemarks(
    LabelStore& store, const LabelTable& table, std::span<const std::optional<std::int64_t>> items,
    const std::string& annotator);

/// Names of classes that the labels use, but the store does not have; to be added in this order
/// before decisionsOf(). If the store has no class and all names are numbers, these are all numbers
/// from 0 to the highest and at least `class_count`, because a network's class k is then called k.
[[nodiscard]] std::vector<std::string> missingClasses(const LabelTable& table,
                                                      std::span<const LabelClass> classes,
                                                      std::int64_t class_count = 0);

struct DecisionOptions {
  std::string annotator = {};  ///< of labels without one
  std::int64_t time_ms = 0;    ///< of labels without one
  bool with_history = false;   ///< earlier decisions as well; undone ones never
};

struct ImportedDecisions {
  /// In the order of the rows, except that the first `opinions` are labels of other annotators than
  /// the one whose label counts: recorded first, so that the newest decision is the one that
  /// counts.
  std::vector<Decision> decisions;
  std::size_t opinions = 0;
  std::vector<LabelNote> notes;
};

/// The rows of an import as decisions for the store with these `classes`. `items` is the id per row
/// (RowMatches::items); rows without one are left out. `labels` are the present ones of the store:
/// they become the previous labels, and unknown actions are kAccept if the class stays the same and
/// kCorrect if not. Of several present rows of an item, weighLabels() chooses the one that counts;
/// those of other named annotators become decisions of theirs. Classes that the store does not have
/// and rows without class and action are noted and left out. Throws std::invalid_argument if
/// `items` has another length than the rows.
[[nodiscard]] ImportedDecisions decisionsOf(const LabelTable& table,
                                            std::span<const std::optional<std::int64_t>> items,
                                            std::span<const LabelClass> classes,
                                            std::span<const PresentLabel> labels,
                                            const DecisionOptions& options);

}  // namespace dubito
