// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/base/plot_values.h"
#include "core/base/run_context.h"
#include "core/labs/simplex/logit_approximations.h"

namespace dubito {

/// Options of the laboratory "How many samples is a bridge worth".
struct SampleWorthOptions {
  /// "joint", "marginals", "mean", or "auto": joint for 2 and 3 classes, else marginals.
  std::string compare = "auto";
  std::int64_t truth = 100'000;  ///< samples that represent the true distribution
  std::int64_t min_samples = 1;  ///< smallest number of samples of an estimate
  std::int64_t max_samples = 10'000;
  std::int64_t points = 6;       ///< numbers of samples per factor of 10
  std::int64_t replicates = 20;  ///< independent repetitions
  std::int64_t bins = 16;        ///< per side of the triangle, or per histogram of a class

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

/// Where a curve that falls with the number of samples reaches a level.
struct SampleCrossing {
  enum class Kind {
    kFound,
    kBeforeFirst,  ///< even the smallest number of samples is better
    kAfterLast,    ///< even the largest number of samples is worse
  };
  Kind kind = Kind::kAfterLast;
  double samples = 0.0;  ///< interpolated (logarithms of both axes); only if found
  /// The same for the curve minus and plus its standard error, where these cross; the end of the
  /// curve otherwise. Only if found.
  Interval range;
};

/// `counts` ascending; the first point below `level` ends the search. `error` [P] may be NaN.
[[nodiscard]] SampleCrossing crossingOf(const std::vector<std::int64_t>& counts,
                                        const std::vector<double>& mean,
                                        const std::vector<double>& error, double level);

/// A closed form in the comparison.
struct ApproximationWorth {
  std::string key;
  std::string help;
  double divergence = 0.0;  ///< KL(truth || approximation) in nats
  SampleCrossing crossing;
};

/// The comparison so far (Hobbhahn 2020, section 5.3; theory, section 9). The truth is an average
/// over many samples of softmax(z); an estimate is the average over n others; a closed form has its
/// own expectation. Averaged is
/// - joint: the cell of a histogram over p_0 (2 classes) or the triangles of the simplex (3
/// classes);
/// - marginals: for each class, the cell of its probability in a histogram over log odds;
/// - mean: the probability of each class.
/// Compared is KL(truth || estimate) and KL(truth || closed form), for marginals the mean over the
/// classes. Half a count is added to each cell of an estimate.
struct SampleWorthResult {
  std::string description;             ///< what is compared, one sentence without a full stop
  std::vector<std::int64_t> counts;    ///< [P], numbers of samples, ascending
  std::int64_t replicates = 0;         ///< finished so far
  Array<double> divergences;           ///< [replicates, P], nats
  std::vector<double> mean;            ///< [P] over the replicates; empty before the first
  std::vector<double> standard_error;  ///< [P] of `mean`; NaN with a single replicate
  /// Closed forms for which the comparison is possible; empty until the truth is complete.
  std::vector<ApproximationWorth> approximations;
  std::int64_t truth_samples = 0;  ///< so far
  /// Expected divergence of the truth from an infinite number of samples, in nats: half the sum
  /// over the cells of variance / (samples * probability). Divergences near it mean nothing. 0
  /// until the truth is complete.
  double truth_error = 0.0;
  std::vector<std::string> warnings;  ///< sentences for the user
};

/// Wall times of this machine, for display; they are not reproducible.
struct SampleWorthTimes {
  double seconds_per_sample = 0.0;  ///< drawing and counting; NaN before the first replicate
  /// Of each of SampleWorthResult::approximations: seconds for one closed form; NaN if it was not
  /// timed (moment matching needs samples itself).
  std::vector<double> seconds_of_approximations;
};

/// "bridge-centred is worth about 37 samples (34 to 41)".
[[nodiscard]] std::string worthText(const ApproximationWorth& worth,
                                    const std::vector<std::int64_t>& counts);

/// The laboratory at work: first parts of the truth, then one replicate per unit. Keyed: the result
/// after n units depends on the Gaussian, the options and the seed alone.
class SampleWorth {
 public:
  /// kInvalidArgument for options or a Gaussian (K = 2..1000; see checkGaussian) that cannot be
  /// used.
  [[nodiscard]] static Expected<std::unique_ptr<SampleWorth>> start(
      const LogitGaussian& gaussian, const SampleWorthOptions& options, std::uint64_t seed);
  ~SampleWorth();
  SampleWorth(const SampleWorth&) = delete;
  SampleWorth& operator=(const SampleWorth&) = delete;

  [[nodiscard]] std::int64_t done() const;
  [[nodiscard]] std::int64_t total() const;
  /// Does up to `units` further units. kCancelled if cancelled; after an error the object must not
  /// be used again.
  [[nodiscard]] Status advance(std::int64_t units, RunContext& context);
  [[nodiscard]] SampleWorthResult result() const;
  [[nodiscard]] SampleWorthTimes times() const;

 private:
  struct State;
  explicit SampleWorth(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace dubito
