// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/array.h"
#include "core/io/run.h"
#include "core/measures/draw_measures.h"

namespace dubito {

/// A measure of an item's draws that a run stores next to its predictions.
struct MeasureOfDraws {
  std::optional<Array<double>> Run::*in_run;
  Array<double> PredictiveSummary::*in_summary;
  /// Runs of fewer draws do not store it: of a single draw it is always 0.
  std::int64_t min_draws;
  /// Links that compute probabilities from Gaussians store it too.
  bool of_gaussians;
};

/// All of them. What computes or changes the draws of a run goes through this list.
inline constexpr MeasureOfDraws kMeasuresOfDraws[] = {
    {&Run::expected_entropy, &PredictiveSummary::expected_entropy, 1, true},
    {&Run::mutual_information, &PredictiveSummary::mutual_information, 1, true},
    {&Run::variation_ratio, &PredictiveSummary::variation_ratio, 2, false},
    {&Run::variance, &PredictiveSummary::variance, 2, false},
};

}  // namespace dubito
