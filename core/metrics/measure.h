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

/// One number of every item: what items are ranked, sorted, filtered and selected by. The values of
/// those that addMeasure adds follow the last one here.
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

/// What a high value says of an item.
enum class MeasureSense : std::uint8_t { kCertain, kUncertain, kApproximationIsWorse };

/// Everything that is said of a measure and done with it, wherever it is shown. Every member is
/// needed; texts are UTF-8 and outlive the program's use of them.
struct MeasureInfo {
  const char* key;         ///< "mutual_information": in files, flags and JSON
  const char* name;        ///< "mutual information"
  const char* short_name;  ///< "MI": in legends
  const char* symbol;      ///< "epistemic MI": in lists of an item's measures
  const char* unit;        ///< "nats", or empty
  const char* axis_label;  ///< of a histogram whose title names the measure: "nats"
  MeasureSense sense;
  bool is_usual;            ///< evaluations rank by it unless they are told otherwise
  bool axis_reaches_bound;  ///< plots show the whole range, not only that of the data
  const char* what_it_is;   ///< in a line: "H − E[H]: what the draws disagree about"
  const char* meaning;      ///< two or three sentences: what it says, and what it does not
  const char* equation;     ///< in Unicode
  const char* range;        ///< bounds and unit in words: "0 to ln K, nats"
  const char* source;       ///< the paper, and its equation where it has a number
  const char* needs;        ///< what a run must hold: "probabilities", "draws that were kept"
  /// Largest possible value of an item of `classes` classes; infinity if there is none, NaN if the
  /// number of classes has to be known and is 0.
  double (*upper_bound)(std::int64_t classes);
  /// [N], NaN for an item that has none; nothing if the run lacks what it needs.
  std::optional<Array<double>> (*compute)(const Run& run, const RunContext& context);
};

/// A member that an entry leaves out is null.
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
/// The measure of a key.
[[nodiscard]] std::optional<Measure> measureOfKey(std::string_view key);

/// Adds a measure of a program's own to everything that lists measures. To be called before runs
/// are opened and threads started. Throws std::invalid_argument for a key that is taken and for a
/// member that is missing.
Measure addMeasure(const MeasureInfo& info);

/// "higher: more certain".
[[nodiscard]] std::string directionOf(Measure measure);
/// A high value means certain.
[[nodiscard]] bool highIsCertain(Measure measure);

/// Those that evaluations rank by unless they are told otherwise.
[[nodiscard]] std::vector<Measure> usualMeasures();
/// The measures of a list of keys with commas between them; "all" stands for those that tell how
/// certain a prediction is. kInvalidArgument, with all keys, for one that is no measure.
[[nodiscard]] Expected<std::vector<Measure>> measuresOfKeys(const std::string& keys);

[[nodiscard]] std::vector<std::string> keysOf(const std::vector<Measure>& measures);
/// "confidence, entropy": the keys as a person reads them.
[[nodiscard]] std::string keysText(const std::vector<Measure>& measures);

/// Upper end of an axis for items of `classes` classes; nothing: the largest value that there is.
[[nodiscard]] std::optional<double> axisEnd(Measure measure, std::int64_t classes);

}  // namespace dubito
