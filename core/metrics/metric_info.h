// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/run_context.h"
#include "core/io/run.h"
#include "core/task/task.h"

namespace dubito {

struct Evaluation;
struct RankMetrics;
struct SelectiveMetrics;

/// Quantities shown in tables, plots and reports, other than the measures of single items. Metrics
/// added with addMetric get the values after the last one.
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

/// What a metric describes.
enum class MetricSubject : std::uint8_t {
  kItem,
  kPrediction,
  kCalibration,
  kRanking,
  kApproximation
};

/// Description of a metric, used wherever it is shown, and the function that returns its value.
/// Texts are UTF-8; all are required.
struct MetricInfo {
  const char* key;  ///< "ece": as in the JSON of an evaluation
  MetricSubject subject;
  const char* name;                  ///< "expected calibration error"
  const char* symbol;                ///< in tables and legends: "ECE"
  const char* summary;               ///< what it is, in one line
  const char* meaning;               ///< two or three sentences: what it shows and what it does not
  const char* formula;               ///< in Unicode
  const char* range;                 ///< unit and bounds: "0 to 1, shown in per cent"
  const char* source;                ///< the paper and its equation
  bool is_fraction;                  ///< shown in per cent
  std::optional<bool> high_is_good;  ///< nullopt: neither direction is better
  const char* convention;            ///< shown after the symbol; "{bins}": number of bins
  bool is_compared;                  ///< whether the Compare page has a column for it
  bool is_tuned;                     ///< whether the Tune page's change list has a line for it
  /// Key of the Task whose runs have it. All others have no value.
  const char* task = kClassification;
  // At most one of these functions is set. They return NaN if there is no value.
  double (*of_set)(const Evaluation& evaluation) = nullptr;
  /// Computes the metric from the run, if Evaluation has no member for it.
  double (*compute)(const Run& run, const RunContext& context) = nullptr;
  double (*of_ranking)(const RankMetrics& metrics) = nullptr;
  double (*of_selection)(const SelectiveMetrics& metrics) = nullptr;
};

/// False if a text is null because it was omitted in the initialiser.
[[nodiscard]] constexpr bool isComplete(const MetricInfo& info) {
  for (const char* const text : {info.key, info.name, info.symbol, info.summary, info.meaning,
                                 info.formula, info.range, info.source, info.convention}) {
    if (text == nullptr) {
      return false;
    }
  }
  return true;
}

/// All metrics, in the order of tables.
[[nodiscard]] const std::vector<Metric>& allMetrics();
[[nodiscard]] const MetricInfo& describe(Metric metric);

/// Adds a custom metric, which then appears wherever metrics are listed. Call before runs are
/// evaluated and threads are started. Throws std::invalid_argument for a duplicate key or a missing
/// text.
Metric addMetric(const MetricInfo& info);

/// True if the metric has one value for a whole dataset, see valueOf.
[[nodiscard]] bool isOfSet(Metric metric);
/// The value of a metric for which isOfSet is true; NaN if the evaluation has none.
[[nodiscard]] double valueOf(const Evaluation& evaluation, Metric metric);
/// The convention of a metric: "15 bins, L1, equal width, top-label"; may be empty.
[[nodiscard]] std::string conventionOf(Metric metric, std::int64_t bins);
/// The symbol with the convention: "ECE (15 bins, L1, equal width, top-label)".
[[nodiscard]] std::string rowName(Metric metric, std::int64_t bins);

/// "higher is better", "lower is better", or "neither direction is better".
[[nodiscard]] std::string directionOf(Metric metric);

/// The summary and the direction, for a tooltip: "share of correct predictions; higher is better".
/// If `convention` is not empty, it follows the summary in parentheses.
[[nodiscard]] std::string explain(Metric metric, const std::string& convention = {});

}  // namespace dubito
