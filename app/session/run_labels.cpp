// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/run_labels.h"

#include <utility>

namespace dubito {

void RunLabels::set(const RunPtr& run, RunLabel label) {
  std::erase_if(labels_, [](const auto& entry) { return entry.first.expired(); });
  labels_[run] = std::move(label);
}

RunLabel RunLabels::of(const RunPtr& run) const {
  const auto found = labels_.find(run);
  return found == labels_.end() ? RunLabel() : found->second;
}

}  // namespace dubito
