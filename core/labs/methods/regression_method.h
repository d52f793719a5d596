// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/base/options.h"
#include "core/base/plot_values.h"
#include "core/base/run_context.h"

namespace dubito {

/// Points to learn from, in the units in which a method works (usually standardised).
struct RegressionProblem {
  std::vector<double> x;  ///< [N] in one dimension, else [N, inputs] row-major; finite
  std::vector<double> y;  ///< [N], finite
  /// Standard deviation of the noise, shared by all methods that do not learn their own; > 0.
  double noise_std = 1.0;

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(y.size()); }
};

/// Predictive distribution of a method at M inputs. Variance of f (epistemic) and of the noise
/// (aleatoric) are always separate.
struct RegressionPrediction {
  std::vector<double> mean;                ///< [M] mean of f
  std::vector<double> epistemic_variance;  ///< [M] variance of f (population variance of draws)
  std::vector<double> noise_variance;      ///< [M] mean variance of the noise
  /// [T, M] draws f_t of whole functions, each with one set of weights or one mask. Empty for
  /// methods that give a single function. A few draws of a Gaussian method serve only as pictures;
  /// see `is_mixture`.
  Array<double> draws;
  /// [T, M] noise variance of each draw if it differs between draws; else empty.
  Array<double> noise_variance_of_draws;
  /// Whether the predictive distribution is the equal mixture of N(draws[t], noise) rather than the
  /// Gaussian N(mean, epistemic + noise).
  bool is_mixture = false;
};

/// Fills mean, epistemic_variance and noise_variance from draws [T, M] with T >= 1. The noise is
/// `noise_of_draws` [T, M], or `noise_variance` everywhere if that is empty.
[[nodiscard]] RegressionPrediction predictionOfDraws(Array<double> draws,
                                                     Array<double> noise_of_draws,
                                                     double noise_variance);

/// A number that describes a fit, such as the acceptance of a sampler.
struct LabDiagnostic {
  std::string key;   ///< in snake_case, for JSON ("acceptance")
  std::string name;  ///< for the window ("Acceptance")
  double value = 0.0;
};

/// What can be shown about a learner besides its predictions.
struct LabDiagnostics {
  std::vector<LabDiagnostic> numbers;
  /// Curves against the unit of work: loss, drop rates, traces. Thinned to a bounded length.
  std::vector<Curve> traces;
  /// Statements a person must know to read the result ("R-hat is 1.31: not a posterior yet").
  std::vector<std::string> warnings;
};

/// A method at work on one problem: advances in units of work, and can predict at any time. Keyed:
/// the state after n units depends on problem, options and seed alone, not on how the units were
/// divided into calls.
class RegressionLearner {
 public:
  virtual ~RegressionLearner() = default;

  /// Units of work done so far, and needed in all (epochs, transitions of the chains; 1 for a
  /// closed form).
  [[nodiscard]] virtual std::int64_t done() const = 0;
  [[nodiscard]] virtual std::int64_t total() const = 0;
  /// Does up to `units` further units, at most up to total(). kCancelled if cancelled; after any
  /// error the learner must not be used again.
  [[nodiscard]] virtual Status advance(std::int64_t units, RunContext& context) = 0;
  /// Predicts at inputs `x` [M]. `max_draws` bounds the number of function draws (at least 1).
  /// kInvalidArgument, with a sentence for the user, if no prediction exists yet.
  [[nodiscard]] virtual Expected<RegressionPrediction> predict(std::span<const double> x,
                                                               std::int64_t max_draws,
                                                               RunContext& context) const = 0;
  [[nodiscard]] virtual LabDiagnostics diagnostics() const = 0;
};

/// A method with its options.
class RegressionMethod {
 public:
  virtual ~RegressionMethod() = default;
  [[nodiscard]] virtual std::vector<Field> fields() = 0;
  [[nodiscard]] virtual Status check() const = 0;
  /// Starts on `problem`. The caller has called check(). kInvalidArgument if the method cannot work
  /// on these data (too many points, for example), with the remedy.
  [[nodiscard]] virtual Expected<std::unique_ptr<RegressionLearner>> start(
      const RegressionProblem& problem, std::uint64_t seed) const = 0;
};

/// Description of a method, for lists, forms and --help.
struct RegressionMethodInfo {
  const char* key = nullptr;          ///< "mc-dropout"
  const char* name = nullptr;         ///< "MC dropout"
  const char* explanation = nullptr;  ///< one or two sentences for a student
  const char* formula = nullptr;      ///< what is computed, as plain text
  const char* theory = nullptr;       ///< anchor in docs/theory.md
  /// A method with default options.
  std::unique_ptr<RegressionMethod> (*make)() = nullptr;
};

}  // namespace dubito
