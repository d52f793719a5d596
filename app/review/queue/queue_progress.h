// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "core/labels/decision.h"

namespace dubito {

/// Where the review of a queue is.
enum class QueueStage {
  kAtWork,
  kRest,  ///< past the part that the queue is about
  kEnd,   ///< past the last item
};

/// Which items of a queue are decided, and which were put off: skipped, or marked for somebody
/// else. A person has passed both.
class QueueProgress {
 public:
  void clear();
  /// Sets the decision about an item of the queue; nullopt: none yet. `in_first_part` as in
  /// Queue::first_part.
  void update(std::int64_t item, bool in_first_part, std::optional<LabelAction> action);

  [[nodiscard]] const std::unordered_set<std::int64_t>& decided() const { return decided_; }
  /// kSkip or kFlag, by item.
  [[nodiscard]] const std::unordered_map<std::int64_t, LabelAction>& putOff() const {
    return put_off_;
  }
  [[nodiscard]] std::int64_t skippedCount() const { return skipped_; }
  [[nodiscard]] std::int64_t flaggedCount() const {
    return static_cast<std::int64_t>(put_off_.size()) - skipped_;
  }
  [[nodiscard]] std::int64_t passedCount() const {
    return static_cast<std::int64_t>(decided_.size() + put_off_.size());
  }
  [[nodiscard]] std::int64_t passedInFirstPart() const { return passed_in_first_part_; }

 private:
  std::unordered_set<std::int64_t> decided_;
  std::unordered_map<std::int64_t, LabelAction> put_off_;
  std::int64_t skipped_ = 0;
  std::int64_t passed_in_first_part_ = 0;
};

}  // namespace dubito
