// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "core/base/expected.h"
#include "core/base/plot_values.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// What a reliability diagram is of, and how its bins are made.
struct ReliabilityOptions {
  static constexpr std::int64_t kMostBins = 100'000;

  std::int64_t bins = 15;
  /// Bins of equal counts (ties kept together), not of equal width.
  bool equal_mass = false;
  /// The class whose probability is judged, for every item; empty: that of the predicted class
  /// (top-label).
  std::optional<std::int64_t> of_class = std::nullopt;
  /// OOD items are among them, and never right.
  bool with_ood = false;

  friend bool operator==(const ReliabilityOptions&, const ReliabilityOptions&) = default;
};

/// A probability, and whether what it is the probability of came true.
struct JudgedItem {
  double probability = 0.0;
  bool is_right = false;
};

/// The probability that `options` judge of an item that they do not leave out.
[[nodiscard]] inline double judgedProbability(const Run& run, std::int64_t row,
                                              const ReliabilityOptions& options) {
  return options.of_class ? run.prob(row, *options.of_class) : run.confidence.data()[row];
}

/// What `options` judge of an item; nothing of items they leave out: those without a label, OOD
/// ones unless they are asked for, and where a class is judged those of runs that lack it.
[[nodiscard]] inline std::optional<JudgedItem> judgedItem(const Run& run, std::int64_t row,
                                                          bool is_ood,
                                                          const ReliabilityOptions& options) {
  const std::int64_t label = run.labels.data()[row];
  if (is_ood ? !options.with_ood : label < 0) {
    return std::nullopt;
  }
  if (options.of_class && (!run.probs || *options.of_class >= run.classCount())) {
    return std::nullopt;
  }
  const std::int64_t judged = options.of_class.value_or(run.predictions.data()[row]);
  return JudgedItem{judgedProbability(run, row, options), !is_ood && label == judged};
}

/// A diagram and how it was made.
struct Reliability {
  ReliabilityOptions options;
  ReliabilityDiagram diagram;
};
using ReliabilityPtr = std::shared_ptr<const Reliability>;

/// The diagram of `run` and the OOD runs beside it, the errors NaN if no item is judged.
/// kInvalidArgument for no bins, or too many, and a class that the run does not know, kCancelled.
[[nodiscard]] Expected<ReliabilityPtr> makeReliability(const Run& run,
                                                       std::span<const Run* const> ood,
                                                       const ReliabilityOptions& options,
                                                       const RunContext& context);

}  // namespace dubito
