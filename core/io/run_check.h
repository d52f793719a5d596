// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// How far a row of stored probabilities may be from summing to 1.
inline constexpr double kRowSumTolerance = 1e-3;

/// Largest class number of runs without probabilities, whose number of classes is not known.
inline constexpr std::int64_t kLargestClassNumber = 999'999;

/// Index of a value that is there twice, or nothing.
[[nodiscard]] std::optional<std::int64_t> findDuplicate(std::span<const std::int64_t> values);

/// What makes the arrays of `run` disagree in shape, or nothing. Compares shapes alone.
[[nodiscard]] std::optional<std::string> shapeConflict(const Run& run);

/// Ranges of labels, predictions, confidences and measures, ids twice, and the rows of probs (of
/// more than 2^25 probabilities a regular sample of rows). The shapes fit together. `path` stands
/// in messages.
[[nodiscard]] Status checkRunContents(const Run& run, const std::string& path, RunContext& context);

}  // namespace dubito
