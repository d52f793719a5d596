// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/base/run_context.h"
#include "core/io/run.h"
#include "core/review/queue_kind.h"

namespace dubito {

/// Which items to review, and in which order.
struct QueueOptions {
  /// Key of a QueueKind.
  std::string by = "entropy";
  /// Largest number of items; 0: all.
  std::int64_t limit = 0;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

/// Items to review in a fixed order, which does not follow changes of labels.
struct Queue {
  std::string key = {};   ///< of the kind
  std::string name = {};  ///< "unsure first"
  std::string why = {};   ///< what comes first and why, one sentence

  // [length], the first item to review first.
  std::vector<std::int64_t> rows = {};
  std::vector<std::int64_t> ids = {};
  std::vector<double> scores = {};  ///< in the kind's own unit and sense

  std::int64_t items = 0;          ///< of the run
  std::int64_t settled = 0;        ///< left out: already decided
  std::int64_t not_chosen = 0;     ///< left out: not among QueueInputs::only_rows
  std::int64_t without_score = 0;  ///< left out: see QueueKind::left_out
  std::int64_t beyond_limit = 0;   ///< left out: after the last one
  /// How many of the first items are the kind's first part, and what they are; nothing if the kind
  /// has none.
  std::optional<std::int64_t> first_part = {};
  std::string first_part_name = {};
  std::vector<std::string> notes = {};

  [[nodiscard]] std::int64_t length() const { return static_cast<std::int64_t>(rows.size()); }
};

/// Builds a queue; items with equal scores are in the order of their ids. Random numbers are keyed
/// by context.seed and item id. The result does not depend on the number of threads or, unless the
/// kind follows it, the order of rows. kInvalidArgument for an unknown kind, and if the run or the
/// inputs lack what it needs; kCancelled. Throws std::out_of_range for rows outside of the run.
[[nodiscard]] Expected<Queue> buildQueue(const Run& run, const QueueOptions& options,
                                         const QueueInputs& inputs, RunContext& context);

}  // namespace dubito
