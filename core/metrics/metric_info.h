// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

struct Evaluation;
struct RankMetrics;
struct SelectiveMetrics;

/// Quantities shown in tables, plots and reports, other than the measures of single items. Metrics
/// added with addMetric follow the last value.
enum class Metric : std::uint8_t {
  kAccuracy,
  kNll,
  kBrier,
  kEce,
  kMce,
  kRmsce,
  kAdaptiveEce,
  kClasswiseEce,
  kMmc,
  kAuroc,
  kTruePositiveRate,
  kFalsePositiveRate,
  kAveragePrecision,
  kFpr95,
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
inline constexpr std::size_t kBuiltInMetrics = static_cast<std::size_t>(Metric::kEvidence) + 1;

/// Subject of a metric.
enum class MetricSubject : std::uint8_t {
  kItem,
  kPrediction,
  kCalibration,
  kRanking,
  kApproximation
};

/// Description of a metric, used wherever it is shown, and how to get its value. Texts are UTF-8;
/// all are required.
struct MetricInfo {
  const char* key;  ///< "ece": as in the JSON of an evaluation
  MetricSubject subject;
  const char* name;                  ///< "expected calibration error"
  const char* symbol;                ///< in tables and legends: "ECE"
  const char* summary;               ///< what it is, in one line
  const char* meaning;               ///< two or three sentences: what it tells, and what not
  const char* formula;               ///< in Unicode
  const char* range;                 ///< unit and bounds: "0 to 1, shown in per cent"
  const char* source;                ///< the paper and its equation
  bool is_fraction;                  ///< shown in per cent
  std::optional<bool> high_is_good;  ///< nothing: neither direction is better
  const char* convention;            ///< shown after the symbol; "{bins}" is replaced
  bool is_compared;                  ///< column of the Compare page
  bool is_tuned;                     ///< line of the Tune page's change list
  // At most one of these is set; they return NaN if there is no value.
  double (*of_set)(const Evaluation& evaluation) = nullptr;
  /// From the run itself, for a metric without a member in Evaluation.
  double (*compute)(const Run& run, const RunContext& context) = nullptr;
  double (*of_ranking)(const RankMetrics& metrics) = nullptr;
  double (*of_selection)(const SelectiveMetrics& metrics) = nullptr;
};

/// Texts omitted in an entry are null.
[[nodiscard]] constexpr bool isComplete(const MetricInfo& info) {
  for (const char* const text : {info.key, info.name, info.symbol, info.summary, info.meaning,
                                 info.formula, info.range, info.source, info.convention}) {
    if (text == nullptr) {
      return false;
    }
  }
  return true;
}

/// In the order of tables.
[[nodiscard]] const std::vector<Metric>& allMetrics();
[[nodiscard]] const MetricInfo& describe(Metric metric);

/// Adds a custom metric, which then appears wherever metrics are listed. Call before runs are
/// evaluated and threads are started. Throws std::invalid_argument for a duplicate key and a
/// missing text.
Metric addMetric(const MetricInfo& info);

/// Whether the metric has one value for a whole set, see valueOf.
[[nodiscard]] bool isOfSet(Metric metric);
/// The value of a metric of the whole set; NaN if the evaluation has none.
[[nodiscard]] double valueOf(const Evaluation& evaluation, Metric metric);
/// "15 bins, L1, equal width, top-label", or empty.
[[nodiscard]] std::string conventionOf(Metric metric, std::int64_t bins);
/// "ECE (15 bins, L1, equal width, top-label)".
[[nodiscard]] std::string rowName(Metric metric, std::int64_t bins);

/// "higher is better", "lower is better", or "neither direction is better".
[[nodiscard]] std::string directionOf(Metric metric);

/// The summary and the direction, for a tooltip: "share of right predictions; higher is better".
/// `convention` follows the summary in brackets, if there is one.
[[nodiscard]] std::string explain(Metric metric, const std::string& convention = {});

}  // namespace dubito
