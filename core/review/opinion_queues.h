// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/review/queue_kind.h"

namespace dubito {

/// Key of the queue of items that one other person has labelled.
inline constexpr const char* kSecondOpinionQueue = "second-opinion";

/// The kinds that show decided items again: for a second opinion, and to settle conflicts.
[[nodiscard]] std::vector<QueueKind> opinionQueues();

}  // namespace dubito
