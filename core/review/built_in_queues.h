// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/review/queue_kind.h"

namespace dubito {

/// The queue by a measure: the most uncertain first.
[[nodiscard]] QueueKind queueByMeasure(Measure measure);

/// Whether a measure gives a queue: it measures certainty or uncertainty, not an approximation.
[[nodiscard]] bool hasQueue(Measure measure);

/// The kinds that are not a measure.
[[nodiscard]] std::vector<QueueKind> otherQueues();

}  // namespace dubito
