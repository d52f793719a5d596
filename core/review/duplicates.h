// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/base/small_image.h"
#include "core/review/queue_kind.h"

namespace dubito {

/// Least correlation of the grey values of two images that count as the same.
inline constexpr double kSameImageCorrelation = 0.985;

/// The small image of a row; nothing if there is none. Called from several threads.
using SmallImageOf = std::function<std::optional<SmallImage>(std::int64_t row)>;

/// Images that show the same: copies, other sizes, other compression, small changes of brightness.
/// Turned and mirrored images count as others, and so do images of one colour, unless they are
/// equal.
struct DuplicateGroups {
  std::vector<std::int64_t> group;  ///< [N], number of the group of each row; -1: no duplicate
  std::int64_t count = 0;           ///< of the groups, which are numbered by their first row
  std::int64_t unreadable = 0;      ///< rows without an image
};

/// Candidates are found by the signs of the differences between neighbours (dHash, 240 bits), then
/// compared by the correlation of their grey values. A group is everything that is connected by
/// such pairs. About 300 bytes a row. kCancelled.
[[nodiscard]] Expected<DuplicateGroups> duplicateGroups(std::int64_t rows,
                                                        const SmallImageOf& image_of,
                                                        RunContext& context);

/// The queue that shows them: groups whose given labels differ first.
[[nodiscard]] QueueKind duplicateQueue();

}  // namespace dubito
