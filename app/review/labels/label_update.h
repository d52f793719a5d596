// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/review/labels/decision_text.h"
#include "core/labels/label_store.h"

namespace dubito {

/// Changes that a call has made in a label store.
struct LabelUpdate {
  std::int64_t sequence = 0;
  std::vector<RecordedDecision> newest;
  std::optional<std::vector<LabelClass>> classes;  ///< nothing: unchanged
  std::vector<std::int64_t> items;                 ///< decided by the call
  std::vector<std::int64_t> others;                ///< decided by others meanwhile
  bool by_model = false;                           ///< they are labels of the model
  RevertedStep reverted;                           ///< of an undo or redo
  std::int64_t own_undos = 0;                      ///< entries of that undo or redo
  bool all = false;  ///< `labels` are all, else only of `items` and `others`
  std::unordered_map<std::int64_t, PresentLabel> labels;
  std::vector<Remark> remarks;  ///< that changed, by whomever
};

[[nodiscard]] std::vector<std::int64_t> itemsOf(const std::vector<RecordedDecision>& decisions);

/// The labels of these items, or all if that is faster. Blocking; errors of LabelStore.
[[nodiscard]] Expected<LabelUpdate> readItems(LabelStore& store, const std::string& annotator,
                                              std::vector<std::int64_t> items);
/// Everything. Blocking; errors of LabelStore.
[[nodiscard]] Expected<LabelUpdate> readAll(LabelStore& store, const std::string& annotator);

/// Adds what others have recorded after entry `before` of the journal, up to update.sequence, so
/// that nothing is skipped: everything if they changed classes or undid something. Blocking; errors
/// of LabelStore.
[[nodiscard]] Expected<LabelUpdate> withOthers(LabelUpdate update, LabelStore& store,
                                               const std::string& annotator, std::int64_t before);

/// Takes back the annotator's newest step, or restores it. Blocking; errors of LabelStore.
[[nodiscard]] Expected<LabelUpdate> revertStep(LabelStore& store, const std::string& annotator,
                                               bool undo);

}  // namespace dubito
