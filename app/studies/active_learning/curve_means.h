// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "app/studies/active_learning/curve.h"

namespace dubito::study {

/// A number over seeds.
struct OverSeeds {
  std::int64_t seeds = 0;
  double mean = 0.0;            ///< NaN without seeds
  double standard_error = 0.0;  ///< NaN for fewer than two seeds
};

/// Mean accuracy of one acquisition at one number of labels.
struct MeanPoint {
  std::int64_t labels = 0;
  OverSeeds accuracy;
};

/// Labels needed to reach a test error.
struct LabelsNeeded {
  double error = 0.0;            ///< at most this
  OverSeeds labels = {};         ///< over the seeds that reach it
  std::int64_t not_reached = 0;  ///< seeds whose finished curve ends above it
};

/// The curves of one acquisition.
struct AcquisitionSummary {
  std::string by;
  std::vector<MeanPoint> points;     ///< ascending in labels
  std::vector<LabelsNeeded> needed;  ///< one per error
};

/// The number of labels at which a curve first has at most this error; 0 if it never has.
[[nodiscard]] std::int64_t labelsNeeded(const Curve& curve, double error);

/// Summarises curves by acquisition, in the order of their first curves; `labels` is at their end.
/// Longer curves are cut there; unfinished ones count at the labels and errors that they reach.
[[nodiscard]] std::vector<AcquisitionSummary> summarise(std::span<const Curve> curves,
                                                        std::int64_t labels,
                                                        std::span<const double> errors);

/// acquisition,labels,seeds,accuracy,standard_error
[[nodiscard]] std::vector<std::string> curvesCsv(std::span<const AcquisitionSummary> summaries);
/// A Markdown table of the labels needed, next to published ones.
[[nodiscard]] std::vector<std::string> labelsNeededTable(
    std::span<const AcquisitionSummary> summaries);
[[nodiscard]] nlohmann::json toJson(std::span<const AcquisitionSummary> summaries);

}  // namespace dubito::study
