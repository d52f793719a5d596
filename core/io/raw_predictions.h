// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/any_array.h"
#include "core/io/file_rows.h"
#include "core/io/given_classes.h"
#include "core/io/run.h"

namespace dubito {

/// An array of numbers and its key or column in messages.
struct NamedNumbers {
  std::string name;
  AnyArray values;
};

/// The content of a file from another program, before validation.
struct RawPredictions {
  FileRows file;
  /// [N, K], or [N] or [N, 1] for one probability per item: of class 1 of two, or of the predicted
  /// class. Absent: there are only `predicted` and `confidence`.
  std::optional<AnyArray> scores;
  std::string scores_name;  ///< key, column or file of the scores
  bool scores_are_logits = false;
  /// [N, R], the class that each of the scores belongs to, if they are sorted by rank; and the name
  /// of that class.
  std::optional<GivenClasses> ranks;
  std::optional<GivenClasses> rank_names;
  std::optional<GivenClasses> labels;     ///< [N], [N, 1], or one-hot [N, K]
  std::optional<GivenClasses> predicted;  ///< [N]; a cross-check if there are scores
  /// [N], of the predicted class; a cross-check if there are scores.
  std::optional<NamedNumbers> confidence;
  std::optional<NamedNumbers> other_logits;  ///< [N, K], next to probabilities: a cross-check
  std::optional<AnyArray> ids;               ///< [N] whole numbers; absent: row numbers
  std::vector<std::string> class_names;
  std::vector<std::string> notes;
};

/// Validates raw predictions and converts them to a run: determines what the scores are
/// (recogniseScores) and how classes are numbered (ClassRule), expands a single column to two
/// classes, brings ranked scores into the order of the classes, rescales rows whose sum is off by
/// rounding, computes predictions, confidence and entropy, and compares them with the predictions
/// and confidences of the file. All that was assumed or contradicts the scores is noted. kMalformed
/// for what cannot be read in one way only; the message names the row of invalid values.
[[nodiscard]] Expected<Run> makeRun(RawPredictions raw, RunContext& context);

}  // namespace dubito
