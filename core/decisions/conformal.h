// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/base/run_context.h"
#include "core/io/run.h"

namespace dubito {

/// Conformal prediction: sets of classes that contain the true class with probability at least 1 -
/// alpha, over calibration sets and items (theory, section 11).
struct ConformalOptions {
  /// Allowed share of items whose true class is missing from their set.
  double alpha = 0.1;
  /// Nonconformity score of a class. "lac": 1 - p. "aps": the cumulative probability of the classes
  /// down to it. "raps": aps plus a penalty per rank beyond `free_ranks`. None is randomised.
  std::string score = "lac";
  /// raps: added for each rank beyond `free_ranks`.
  double penalty = 0.1;
  std::int64_t free_ranks = 1;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

/// Nonconformity scores [K] of one item; lower conforms better. Ties are ranked by class.
class ConformalScorer {
 public:
  explicit ConformalScorer(const ConformalOptions& options);

  /// The view is valid until the next call.
  [[nodiscard]] std::span<const double> operator()(std::span<const double> probs);
  [[nodiscard]] std::span<const double> operator()(std::span<const float> probs);

 private:
  template <class T>
  std::span<const double> compute(std::span<const T> probs);

  ConformalOptions options_;
  bool by_rank_ = false;
  std::vector<std::size_t> order_;
  std::vector<double> tails_;
  std::vector<double> scores_;
};

/// k = ceil((n + 1)(1 - alpha)), with alpha read as a decimal number: 6 for n = 19 and alpha = 0.7,
/// where binary fractions would give 7.
[[nodiscard]] std::int64_t conformalOrder(std::int64_t n, double alpha);

/// Result of a calibration.
struct ConformalThreshold {
  std::int64_t n = 0;      ///< labelled calibration items
  std::int64_t order = 0;  ///< k
  /// The k-th smallest score of a true class; infinity if k > n, which puts every class into every
  /// set.
  double threshold = 0.0;
};

/// Scores of the true classes of the labelled items of `run`, in item order.
[[nodiscard]] std::vector<double> calibrationScoresOf(const Run& run,
                                                      const ConformalOptions& options,
                                                      const RunContext& context);

/// The threshold from a calibration run; `name` is used in messages. kInvalidArgument if the run
/// has no probabilities or no labels.
[[nodiscard]] Expected<ConformalThreshold> calibrateConformal(const Run& run,
                                                              const std::string& name,
                                                              const ConformalOptions& options,
                                                              const RunContext& context);

/// The classes of one item whose score is at most the threshold, ascending; may be empty.
[[nodiscard]] std::vector<std::int64_t> conformalSet(std::span<const double> scores,
                                                     double threshold);

/// Statistics of the sets of a run.
struct ConformalSets {
  std::vector<std::int64_t> sizes;  ///< [K + 1]: number of items by set size
  std::int64_t items = 0;
  std::int64_t labelled = 0;
  std::int64_t covered = 0;  ///< labelled items whose set contains the true class

  [[nodiscard]] double coverage() const;  ///< covered / labelled; NaN if none is labelled
  [[nodiscard]] double meanSize() const;
  [[nodiscard]] double emptyShare() const;
};

/// Statistics over all items of a run with K classes. Memory does not grow with the number of
/// items. kInvalidArgument if the run has no probabilities; kCancelled.
[[nodiscard]] Expected<ConformalSets> conformalSets(const Run& run, const std::string& name,
                                                    double threshold,
                                                    const ConformalOptions& options,
                                                    RunContext& context);

}  // namespace dubito
