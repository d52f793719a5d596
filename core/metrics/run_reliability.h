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

/// Options of a reliability diagram.
struct ReliabilityOptions {
  static constexpr std::int64_t kMaxBins = 100'000;

  std::int64_t bins = 15;
  /// Bins of equal counts (ties kept together) instead of equal width.
  bool equal_mass = false;
  /// The class whose probability is assessed for every item; if empty, the predicted class of each
  /// item (top-label).
  std::optional<std::int64_t> of_class = std::nullopt;
  /// Includes OOD items, which count as wrong.
  bool with_ood = false;

  friend bool operator==(const ReliabilityOptions&, const ReliabilityOptions&) = default;
};

/// A probability, and whether the class to which it belongs is the true one.
struct AssessedItem {
  double probability = 0.0;
  bool is_right = false;
};

/// The assessed probability of an item that the diagram includes.
[[nodiscard]] inline double assessedProbability(const Run& run, std::int64_t row,
                                                const ReliabilityOptions& options) {
  return options.of_class ? run.prob(row, *options.of_class) : run.confidence.data()[row];
}

/// The assessed probability and outcome of an item; nullopt for excluded items: those without a
/// label, OOD items unless requested, and items of runs that lack the assessed class.
[[nodiscard]] inline std::optional<AssessedItem> assessedItem(const Run& run, std::int64_t row,
                                                              bool is_ood,
                                                              const ReliabilityOptions& options) {
  const std::int64_t label = run.labels.data()[row];
  if (is_ood ? !options.with_ood : label < 0) {
    return std::nullopt;
  }
  if (options.of_class && (!run.probs || *options.of_class >= run.classCount())) {
    return std::nullopt;
  }
  const std::int64_t assessed = options.of_class.value_or(run.predictions.data()[row]);
  return AssessedItem{assessedProbability(run, row, options), !is_ood && label == assessed};
}

/// A reliability diagram and its options.
struct Reliability {
  ReliabilityOptions options;
  ReliabilityDiagram diagram;
};
using ReliabilityPtr = std::shared_ptr<const Reliability>;

/// Computes the diagram of `run` and, if requested, its OOD runs; the errors are NaN if no item is
/// included. kInvalidArgument for an invalid number of bins or a class that the run lacks,
/// kCancelled.
[[nodiscard]] Expected<ReliabilityPtr> makeReliability(const Run& run,
                                                       std::span<const Run* const> ood,
                                                       const ReliabilityOptions& options,
                                                       const RunContext& context);

}  // namespace dubito
