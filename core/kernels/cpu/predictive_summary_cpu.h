// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace dubito {

/// Inputs and outputs of a summary. All arrays are row-major; T, K >= 1.
struct SummaryTask {
  const float* const* input = nullptr;  ///< [T] pointers to [N, K]
  bool input_is_logits = false;
  std::int64_t draws = 0;
  std::int64_t items = 0;
  std::int64_t classes = 0;
  double* mean_probs = nullptr;  ///< [N, K]
  double* entropy = nullptr;     ///< [N], like the outputs below
  double* expected_entropy = nullptr;
  double* mutual_information = nullptr;
  double* variation_ratio = nullptr;
  double* variance = nullptr;
  double* confidence = nullptr;
  double* log_rest = nullptr;
  std::int64_t* predictions = nullptr;
  float* const* draw_probs = nullptr;  ///< [T] pointers to [N, K], or nullptr
};

/// Items summarised together.
inline constexpr std::int64_t kSummaryTile = 16;

/// Scratch memory for a tile of `classes` classes, in doubles.
[[nodiscard]] std::int64_t summaryScratchSize(std::int64_t classes);

/// Summarises items [begin, begin + count), 1 <= count <= kSummaryTile. `scratch` is aligned to 64
/// bytes.
void summariseTileCpu(const SummaryTask& task, std::int64_t begin, std::int64_t count,
                      double* scratch);

}  // namespace dubito
