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

/// The content of another program's file before validation.
struct RawPredictions {
  std::string path;  ///< starts every message
  /// [N, K], or [N] and [N, 1] for the probability of class 1 of two.
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

/// Validates and completes: rows of probabilities whose sum is 1e-6 to 1e-3 off 1 are rescaled and
/// counted in the notes; logits go through softmax; one column becomes two classes; labels become
/// class numbers; predictions, confidence and entropy are computed. kMalformed, naming the row, for
/// NaN, infinity, negative or other invalid probabilities, labels out of range and duplicate ids.
[[nodiscard]] Expected<Run> makeRun(RawPredictions raw, RunContext& context);

}  // namespace dubito
