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

/// What was found in a file of another program, before anything is believed.
struct RawPredictions {
  std::string path;  ///< in front of every message
  /// [N, K], or [N] and [N, 1] for the probability of class 1 of two.
  AnyArray scores;
  std::string scores_name;  ///< key, column or file that they come from
  bool scores_are_logits = false;
  /// [N] or [N, 1] whole numbers, or [N, K] one-hot; -1 is unknown.
  std::optional<AnyArray> labels;
  std::string labels_name;
  std::optional<AnyArray> ids;  ///< [N] whole numbers; else row numbers
  std::vector<std::string> class_names;
  std::vector<std::int64_t> lines;  ///< line of each row, for text files
  std::vector<std::string> notes;
};

/// "row 3 (counted from 0)", or "row 3 (counted from 0; line 5)" where lines are known.
[[nodiscard]] std::string rowName(std::int64_t row, const std::vector<std::int64_t>& lines);

/// Checks and completes: rows of probabilities within 1e-3 of summing to 1 are rescaled where they
/// are further than 1e-6 from it, and counted in the notes; logits go through softmax; one column
/// becomes two classes; labels become class numbers; predictions, confidence and entropy are
/// computed. kMalformed, naming the row, for NaN, infinity, negative or other impossible
/// probabilities, labels out of range and ids that are there twice.
[[nodiscard]] Expected<Run> makeRun(RawPredictions raw, RunContext& context);

}  // namespace dubito
