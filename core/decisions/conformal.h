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
  /// Nonconformity score of a class. "lac": 1 - p. "aps": the total probability of the class and of
  /// all classes that rank above it. "raps": aps plus `penalty` per rank beyond `free_ranks`. No
  /// score is randomised.
  std::string score = "lac";
  /// For raps: added for each rank beyond `free_ranks`, the number of ranks without a penalty.
  double penalty = 0.1;
  std::int64_t free_ranks = 1;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

/// Computes the nonconformity scores [K] of one item; lower scores conform better. Classes with
/// equal probabilities rank by class number.
class ConformalScorer {
 public:
  explicit ConformalScorer(const ConformalOptions& options);

  /// The returned view is valid until the next call.
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

/// The rank k = ceil((n + 1)(1 - alpha)) of the threshold among n sorted scores. alpha is taken as
/// a decimal number: n = 19 and alpha = 0.7 give 6, although 0.7 as a double would give 7.
[[nodiscard]] std::int64_t conformalOrder(std::int64_t n, double alpha);

/// Result of a calibration.
struct ConformalThreshold {
  std::int64_t n = 0;      ///< labelled calibration items
  std::int64_t order = 0;  ///< k, see conformalOrder
  /// The k-th smallest score of the true classes. Infinity if k > n: every set then contains every
  /// class.
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

/// Statistics of the prediction sets of a run.
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
