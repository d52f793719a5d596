// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

namespace dubito {

/// Every quantity that tables, plots and reports show, besides the measures of one item that lists
/// are sorted by.
enum class Metric {
  kAccuracy,
  kNll,
  kBrier,
  kMmc,
  kEce,
  kMce,
  kRmsce,
  kAdaptiveEce,
  kClasswiseEce,
  kAuroc,
  kTruePositiveRate,
  kFalsePositiveRate,
  kFpr95,
  kAveragePrecision,
  kPrecision,
  kShareRetained,
  kAccuracyRetained,
  kAurc,
  kEaurc,
  kAugrc,
  kDirichletPrecision,
  kTopKSet,
  kEvidence,
};
inline constexpr std::size_t kMetricCount = static_cast<std::size_t>(Metric::kEvidence) + 1;
[[nodiscard]] std::array<Metric, kMetricCount> allMetrics();

/// What a metric is about.
enum class MetricSubject { kItem, kPrediction, kCalibration, kRanking, kApproximation };

/// What is said of a metric, wherever it is shown.
struct MetricInfo {
  const char* key;  ///< "ece": as in the JSON of an evaluation that has it
  MetricSubject subject;
  const char* name;                  ///< "expected calibration error"
  const char* symbol;                ///< as tables and legends show it: "ECE"
  const char* summary;               ///< what it is, in a line
  const char* meaning;               ///< two or three sentences: what it says, and what it does not
  const char* formula;               ///< in Unicode
  const char* range;                 ///< unit and bounds: "0 to 1, shown in per cent"
  const char* source;                ///< the paper and its equation
  bool is_fraction;                  ///< shown in per cent
  std::optional<bool> high_is_good;  ///< nothing: neither way is better
};
[[nodiscard]] const MetricInfo& describe(Metric metric);

/// "higher is better", "lower is better", or "neither way is better".
[[nodiscard]] std::string directionOf(Metric metric);

/// The summary and the direction, for a tooltip: "share of right predictions; higher is better".
/// `convention` follows the summary in brackets, if there is one.
[[nodiscard]] std::string explain(Metric metric, const std::string& convention = {});

}  // namespace dubito
