// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/review/queue_kind.h"

namespace dubito {

/// The queues by what the network thinks of the given labels.
[[nodiscard]] std::vector<QueueKind> labelQueues();

}  // namespace dubito
