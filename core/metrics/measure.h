// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// One number per item, by which items are ranked, sorted, filtered and selected. Measures added
/// with addMeasure follow the last value.
enum class Measure : std::uint8_t {
  kConfidence,
  kMargin,
  kEntropy,
  kExpectedEntropy,
  kMutualInformation,
  kVariationRatio,
  kVariance,
  kBridgeGauge,
  kProbitGauge,
  kDivergenceGauge,
};
inline constexpr std::size_t kBuiltInMeasures =
    static_cast<std::size_t>(Measure::kDivergenceGauge) + 1;

/// Meaning of a high value.
enum class MeasureSense : std::uint8_t { kCertain, kUncertain, kApproximationIsWorse };

/// Description of a measure, used wherever it is shown or computed. All members are required; texts
/// are UTF-8 and must outlive their use.
struct MeasureInfo {
  const char* key;         ///< for files, flags and JSON: "mutual_information"
  const char* name;        ///< "mutual information"
  const char* short_name;  ///< for legends: "MI"
  const char* symbol;      ///< for lists of an item's measures: "epistemic MI"
  const char* unit;        ///< "nats", or empty
  const char* axis_label;  ///< of a histogram whose title names the measure: "nats"
  MeasureSense sense;
  bool is_usual;            ///< evaluations rank by it by default
  bool axis_reaches_bound;  ///< axes show the whole range, not only that of the data
  const char* what_it_is;   ///< one line: "H − E[H]: what the draws disagree about"
  const char* meaning;      ///< two or three sentences: what it tells, and what not
  const char* equation;     ///< in Unicode
  const char* range;        ///< bounds and unit in words: "0 to ln K, nats"
  const char* source;       ///< the paper, with the number of the equation
  const char* needs;        ///< required content of a run: "probabilities", "kept draws"
  /// Largest possible value for `classes` classes; infinity if there is none, NaN if the number of
  /// classes is needed but 0 (unknown).
  double (*upper_bound)(std::int64_t classes);
  /// [N], NaN for items without a value; nothing if the run lacks the required content.
  std::optional<Array<double>> (*compute)(const Run& run, const RunContext& context);
};

/// Members omitted in an entry are null.
[[nodiscard]] constexpr bool isComplete(const MeasureInfo& info) {
  for (const char* const text :
       {info.key, info.name, info.short_name, info.symbol, info.unit, info.axis_label,
        info.what_it_is, info.meaning, info.equation, info.range, info.source, info.needs}) {
    if (text == nullptr) {
      return false;
    }
  }
  return info.upper_bound != nullptr && info.compute != nullptr;
}

/// In the order of lists and tables.
[[nodiscard]] const std::vector<Measure>& allMeasures();
[[nodiscard]] const MeasureInfo& describe(Measure measure);
/// The measure with that key.
[[nodiscard]] std::optional<Measure> measureOfKey(std::string_view key);

/// Adds a custom measure, which then appears wherever measures are listed. Call before runs are
/// opened and threads are started. Throws std::invalid_argument for a duplicate key and a missing
/// member.
Measure addMeasure(const MeasureInfo& info);

/// "higher: more certain".
[[nodiscard]] std::string directionOf(Measure measure);
/// Whether a high value means certain.
[[nodiscard]] bool highIsCertain(Measure measure);

/// The measures that evaluations rank by default.
[[nodiscard]] std::vector<Measure> usualMeasures();
/// The measures of a comma-separated list of keys; "all" stands for all measures of certainty.
/// kInvalidArgument, listing all keys, for an unknown one.
[[nodiscard]] Expected<std::vector<Measure>> measuresOfKeys(const std::string& keys);

[[nodiscard]] std::vector<std::string> keysOf(const std::vector<Measure>& measures);
/// The keys as text: "confidence, entropy".
[[nodiscard]] std::string keysText(const std::vector<Measure>& measures);

/// Upper end of an axis for `classes` classes; nothing: use the largest value of the data.
[[nodiscard]] std::optional<double> axisEnd(Measure measure, std::int64_t classes);

}  // namespace dubito
