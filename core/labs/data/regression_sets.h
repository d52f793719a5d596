// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/run_context.h"
#include "core/labs/data/regression_data.h"

namespace dubito {

/// A preset of the regression laboratory.
struct RegressionSetInfo {
  const char* key = nullptr;          ///< "sine"
  const char* name = nullptr;         ///< "Sine"
  const char* explanation = nullptr;  ///< one sentence
  /// The input that two uniform numbers give, and the function and standard deviation of the noise
  /// there.
  double (*input)(double u, double v) = nullptr;
  double (*truth)(double x) = nullptr;
  double (*noise_std)(double x) = nullptr;
  bool has_constant_noise = true;

  /// `points` points to learn from, and others for testing.
  [[nodiscard]] RegressionData make(std::int64_t points, std::uint64_t seed) const;
};

/// All presets that are computed, in the order of lists. "co2" and "csv:FILE" are files.
[[nodiscard]] const std::vector<RegressionSetInfo>& regressionSets();

/// Opens "sine", "gap", ... (with `points` training points), "co2" (the sample of this program), or
/// "csv:FILE?x=COLUMN&y=COLUMN" (default: the first two columns with numbers; every fifth point is
/// kept for testing if there are at least 20). Errors name what is wrong and the remedy.
[[nodiscard]] Expected<RegressionData> openRegressionData(const std::string& specification,
                                                          std::int64_t points, std::uint64_t seed,
                                                          RunContext& context);

}  // namespace dubito
