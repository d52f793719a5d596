// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/base/run_context.h"
#include "core/io/row_tolerance.h"
#include "core/io/run.h"

namespace dubito {

/// What rows of class scores are.
enum class ScoreForm { kProbabilities, kLogProbabilities, kLogits, kUnclear };

struct FoundForm {
  ScoreForm form = ScoreForm::kUnclear;
  /// The rows sum to this, not to 1: 100 for per cent, 255 for bytes.
  double total = 1.0;
  bool transposed = false;  ///< classes are the rows
  RowTolerance tolerance = {};
  std::string note = {};  ///< what was recognised; empty for what the name says
  std::string refusal =
      {};  ///< for kUnclear: what the rows look like, and what to do; may be empty
};

/// Determines the form from all rows of the table [N, K], K >= 2. `named_logits`: the file calls
/// them logits. `items`: number of labels or other values per item; -1 if there are none.
[[nodiscard]] FoundForm recogniseScores(const RealArray& scores, const std::string& name,
                                        bool named_logits, std::int64_t items,
                                        const RunContext& context);

/// [K, N] as [N, K].
[[nodiscard]] RealArray transposed(const RealArray& table);

}  // namespace dubito
