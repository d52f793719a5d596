// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/labels/decision.h"
#include "core/labels/label_class.h"
#include "core/review/formats/label_table.h"

namespace dubito {

/// A decision in words: the name of its class, or "none of these".
[[nodiscard]] QString decisionText(const std::vector<LabelClass>& classes, LabelAction action,
                                   std::optional<std::int64_t> class_id);

/// Present labels of a table, by what they say.
struct DecisionCounts {
  std::int64_t labelled = 0;  ///< with a class
  std::int64_t none = 0;
  std::int64_t ambiguous = 0;
  std::int64_t skipped = 0;
  std::int64_t flagged = 0;
};
[[nodiscard]] DecisionCounts countDecisions(const LabelTable& table);
/// "140 labelled, 6 skipped": what there is.
[[nodiscard]] QString countsText(const DecisionCounts& counts);

/// A step that was undone or redone.
struct RevertedStep {
  bool undone = true;      ///< else redone
  bool found = false;      ///< else there was none left
  std::int64_t count = 0;  ///< its decisions; 0: it changed the classes
  std::optional<Decision> first = {};
};
/// "Undone: 0007.png was cat".
[[nodiscard]] QString revertedText(const std::vector<LabelClass>& classes,
                                   const RevertedStep& step);

}  // namespace dubito
