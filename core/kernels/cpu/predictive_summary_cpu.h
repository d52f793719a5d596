// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace dubito {

/// Inputs and outputs of a summary of T draws of N items over K classes; see PredictiveSummary for
/// the outputs. All arrays are row-major; T, K >= 1.
struct SummaryTask {
  const float* const* input = nullptr;  ///< [T] pointers to [N, K]
  bool input_is_logits = false;
  std::int64_t draws = 0;        ///< T
  std::int64_t items = 0;        ///< N
  std::int64_t classes = 0;      ///< K
  double* mean_probs = nullptr;  ///< [N, K]
  double* entropy = nullptr;     ///< [N], like the next seven arrays
  double* expected_entropy = nullptr;
  double* mutual_information = nullptr;
  double* variation_ratio = nullptr;
  double* variance = nullptr;
  double* confidence = nullptr;
  double* log_rest = nullptr;
  std::int64_t* predictions = nullptr;
  float* const* draw_probs = nullptr;  ///< [T] pointers to outputs [N, K]; nullptr: not written
};

/// Largest number of items that are summarised together.
inline constexpr std::int64_t kSummaryTile = 16;

/// Scratch memory that summariseTileCpu needs for `classes` classes, as a number of doubles.
[[nodiscard]] std::int64_t summaryScratchSize(std::int64_t classes);

/// Summarises items [begin, begin + count), 1 <= count <= kSummaryTile. `scratch` must be aligned
/// to 64 bytes.
void summariseTileCpu(const SummaryTask& task, std::int64_t begin, std::int64_t count,
                      double* scratch);

}  // namespace dubito
