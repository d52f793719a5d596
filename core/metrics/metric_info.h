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

/// Every quantity that tables, plots and reports show, besides the measures of one item that lists
/// are sorted by. The values of those that addMetric adds follow the last one here.
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

/// What a metric is about.
enum class MetricSubject : std::uint8_t {
  kItem,
  kPrediction,
  kCalibration,
  kRanking,
  kApproximation
};

/// What is said of a metric, wherever it is shown, and where its value is found. Texts are UTF-8
/// and all of them are needed.
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
  const char* convention;            ///< in tables behind the symbol; "{bins}" is their number
  bool is_compared;                  ///< a column of Compare
  bool is_tuned;                     ///< a line of Tune's change list
  // At most one of them; NaN if there is no value.
  double (*of_set)(const Evaluation& evaluation) = nullptr;
  /// Of a run itself, for a metric that no member of Evaluation holds.
  double (*compute)(const Run& run, const RunContext& context) = nullptr;
  double (*of_ranking)(const RankMetrics& metrics) = nullptr;
  double (*of_selection)(const SelectiveMetrics& metrics) = nullptr;
};

/// A text that an entry leaves out is null.
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

/// Adds a metric of a program's own to everything that lists metrics. To be called before runs are
/// evaluated and threads started. Throws std::invalid_argument for a key that is taken and for a
/// text that is missing.
Metric addMetric(const MetricInfo& info);

/// The metric has one value for a whole set, valueOf.
[[nodiscard]] bool isOfSet(Metric metric);
/// The value of a metric of a set; NaN if the evaluation has none.
[[nodiscard]] double valueOf(const Evaluation& evaluation, Metric metric);
/// "15 bins, L1, equal width, top-label", or empty.
[[nodiscard]] std::string conventionOf(Metric metric, std::int64_t bins);
/// "ECE (15 bins, L1, equal width, top-label)".
[[nodiscard]] std::string rowName(Metric metric, std::int64_t bins);

/// "higher is better", "lower is better", or "neither way is better".
[[nodiscard]] std::string directionOf(Metric metric);

/// The summary and the direction, for a tooltip: "share of right predictions; higher is better".
/// `convention` follows the summary in brackets, if there is one.
[[nodiscard]] std::string explain(Metric metric, const std::string& convention = {});

}  // namespace dubito
