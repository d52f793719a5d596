// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/labels/decision.h"
#include "core/labels/label_class.h"

namespace dubito {

class LabelStore;

/// Everything that a label store contains, read at one time.
struct LabelRecords {
  std::vector<RecordedDecision> journal = {};
  std::vector<PresentLabel> labels = {};
  std::vector<LabelClass> classes = {};
};

/// Errors of LabelStore.
[[nodiscard]] Expected<LabelRecords> readRecords(LabelStore& store);
/// The same over a connection of its own, so that decisions go on meanwhile.
[[nodiscard]] Expected<LabelRecords> readRecords(const std::string& place);

}  // namespace dubito
