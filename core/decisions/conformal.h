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

/// Sets of classes that hold the true one with probability 1 - alpha at least, over calibration
/// sets and items alike (theory, section 11).
struct ConformalOptions {
  /// Share of the items whose true class may be missing.
  double alpha = 0.1;
  /// What makes a class strange. "lac": 1 - p. "aps": the probability of all classes down to it.
  /// "raps": aps plus a penalty for each class beyond the first ones. None of them is randomised.
  std::string score = "lac";
  /// raps: added for each rank beyond `free_ranks`.
  double penalty = 0.1;
  std::int64_t free_ranks = 1;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

/// Scores of all classes of one item [K]; lower is more usual. Equal probabilities rank by class.
class ConformalScorer {
 public:
  explicit ConformalScorer(const ConformalOptions& options);

  /// The view holds until the next call.
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

/// k = ceil((n + 1)(1 - alpha)) with alpha taken as the decimal that was meant: for n = 19 and
/// alpha = 0.7 it is 6, where binary fractions give 7.
[[nodiscard]] std::int64_t conformalOrder(std::int64_t n, double alpha);

/// What calibration found.
struct ConformalThreshold {
  std::int64_t n = 0;      ///< labelled calibration items
  std::int64_t order = 0;  ///< k
  /// The k-th smallest score of a true class; infinity if k > n: every class is in every set.
  double threshold = 0.0;
};

/// Scores of the true classes of the labelled items of `run`, in their order.
[[nodiscard]] std::vector<double> calibrationScoresOf(const Run& run,
                                                      const ConformalOptions& options,
                                                      const RunContext& context);

/// The threshold from a calibration run; `name` stands in messages. kInvalidArgument if the run has
/// no probabilities or no labels.
[[nodiscard]] Expected<ConformalThreshold> calibrateConformal(const Run& run,
                                                              const std::string& name,
                                                              const ConformalOptions& options,
                                                              const RunContext& context);

/// The classes of one item whose score is at most the threshold, ascending; may be empty.
[[nodiscard]] std::vector<std::int64_t> conformalSet(std::span<const double> scores,
                                                     double threshold);

/// What the sets of a run are like.
struct ConformalSets {
  std::vector<std::int64_t> sizes;  ///< [K + 1]: items by the number of classes in their set
  std::int64_t items = 0;
  std::int64_t labelled = 0;
  std::int64_t covered = 0;  ///< labelled items whose set holds the true class

  [[nodiscard]] double coverage() const;  ///< covered / labelled; NaN if none is labelled
  [[nodiscard]] double meanSize() const;
  [[nodiscard]] double emptyShare() const;
};

/// The sets of all items of a run with K classes. Memory does not grow with the items.
/// kInvalidArgument if the run has no probabilities; kCancelled.
[[nodiscard]] Expected<ConformalSets> conformalSets(const Run& run, const std::string& name,
                                                    double threshold,
                                                    const ConformalOptions& options,
                                                    RunContext& context);

}  // namespace dubito
