// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/queue/queue_progress.h"

namespace dubito {

void QueueProgress::clear() {
  *this = QueueProgress();
}

void QueueProgress::update(std::int64_t item, bool in_first_part,
                           std::optional<LabelAction> action) {
  bool passed = decided_.erase(item) > 0;
  if (const auto found = put_off_.find(item); found != put_off_.end()) {
    skipped_ -= found->second == LabelAction::kSkip ? 1 : 0;
    put_off_.erase(found);
    passed = true;
  }
  passed_in_first_part_ -= passed && in_first_part ? 1 : 0;
  if (!action) {
    return;
  }
  if (settles(*action)) {
    decided_.insert(item);
  } else {
    put_off_.emplace(item, *action);
    skipped_ += *action == LabelAction::kSkip ? 1 : 0;
  }
  passed_in_first_part_ += in_first_part ? 1 : 0;
}

}  // namespace dubito
