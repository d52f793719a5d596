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

/// A measure: one number per item, by which items are ranked, sorted, filtered and selected.
/// Measures added with addMeasure get the values after the last one.
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
/// are UTF-8 and must stay valid until the program ends.
struct MeasureInfo {
  const char* key;         ///< for files, flags and JSON: "mutual_information"
  const char* name;        ///< "mutual information"
  const char* short_name;  ///< for legends: "MI"
  const char* symbol;      ///< for lists of an item's measures: "epistemic MI"
  const char* unit;        ///< "nats", or empty
  const char* axis_label;  ///< of a histogram whose title names the measure: "nats"
  MeasureSense sense;
  bool is_default;          ///< evaluations rank items by it by default
  bool axis_reaches_bound;  ///< axes show its whole range, not only that of the data
  const char* what_it_is;   ///< one line: "H − E[H]: what the draws disagree about"
  const char* meaning;      ///< two or three sentences: what it shows and what it does not
  const char* equation;     ///< in Unicode
  const char* range;        ///< bounds and unit in words: "0 to ln K, nats"
  const char* source;       ///< the paper, with the number of the equation
  const char* needs;        ///< required content of a run: "probabilities", "kept draws"
  /// Largest possible value for `classes` classes; infinity if unbounded, NaN if it depends on the
  /// number of classes and `classes` is 0 (unknown).
  double (*upper_bound)(std::int64_t classes);
  /// [N], NaN for items without a value; nullopt if the run lacks the required content.
  std::optional<Array<double>> (*compute)(const Run& run, const RunContext& context);
};

/// False if a pointer is null because the member was omitted in the initialiser.
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

/// All measures, in the order of lists and tables.
[[nodiscard]] const std::vector<Measure>& allMeasures();
[[nodiscard]] const MeasureInfo& describe(Measure measure);
/// The measure with the given key; nullopt if there is none.
[[nodiscard]] std::optional<Measure> measureOfKey(std::string_view key);

/// Adds a custom measure, which then appears wherever measures are listed. Call before runs are
/// opened and threads are started. Throws std::invalid_argument for a duplicate key or a missing
/// member.
Measure addMeasure(const MeasureInfo& info);

/// What a high value means: "higher: more certain".
[[nodiscard]] std::string directionOf(Measure measure);
/// Whether a high value means certain.
[[nodiscard]] bool highIsCertain(Measure measure);

/// The measures by which evaluations rank items by default.
[[nodiscard]] std::vector<Measure> defaultMeasures();
/// The measures of a comma-separated list of keys; "all" stands for all measures of certainty or
/// uncertainty. kInvalidArgument, listing all keys, for an unknown key.
[[nodiscard]] Expected<std::vector<Measure>> measuresOfKeys(const std::string& keys);

[[nodiscard]] std::vector<std::string> keysOf(const std::vector<Measure>& measures);
/// The keys of `measures` as text: "confidence, entropy".
[[nodiscard]] std::string keysText(const std::vector<Measure>& measures);

/// Upper end of an axis of the measure for `classes` classes; nullopt if the axis should end at the
/// largest value of the data.
[[nodiscard]] std::optional<double> axisEnd(Measure measure, std::int64_t classes);

}  // namespace dubito
