// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/any_array.h"
#include "core/io/run.h"

namespace dubito {

/// The content of a file from another program, before validation.
struct RawPredictions {
  std::string path;  ///< prefix of every message
  /// [N, K], or [N] or [N, 1] for the probability of class 1 of two classes.
  AnyArray scores;
  std::string scores_name;  ///< key, column or file of the scores
  bool scores_are_logits = false;
  /// [N] or [N, 1] whole numbers, or [N, K] one-hot; -1: unknown.
  std::optional<AnyArray> labels;
  std::string labels_name;
  std::optional<AnyArray> ids;  ///< [N] whole numbers; absent: row numbers
  std::vector<std::string> class_names;
  std::vector<std::int64_t> lines;  ///< line number of each row, for text files
  std::vector<std::string> notes;
};

/// "row 3 (counted from 0)", or "row 3 (counted from 0; line 5)" if lines are known.
[[nodiscard]] std::string rowName(std::int64_t row, const std::vector<std::int64_t>& lines);

/// Validates raw predictions and converts them to a run: rescales rows of probabilities whose sum
/// deviates from 1 by 1e-6 to 1e-3, and states their number in a note; applies softmax to logits;
/// expands a single column to two classes; converts labels to class numbers; computes predictions,
/// confidence and entropy. kMalformed, naming the row, for NaN, infinity, negative or other invalid
/// probabilities, labels out of range and duplicate ids.
[[nodiscard]] Expected<Run> makeRun(RawPredictions raw, RunContext& context);

}  // namespace dubito
