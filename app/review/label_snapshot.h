// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/labels/label_store.h"

namespace dubito {

/// Everything that a label store contains, read at one time.
struct LabelSnapshot {
  std::vector<RecordedDecision> journal = {};
  std::vector<PresentLabel> labels = {};
  std::vector<LabelClass> classes = {};
};

/// Reads a store over a connection of its own, so that decisions go on meanwhile. Blocking; for a
/// worker thread. Errors of LabelStore.
[[nodiscard]] Expected<LabelSnapshot> readSnapshot(const std::string& place);

}  // namespace dubito
