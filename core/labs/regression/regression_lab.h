// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/run_context.h"
#include "core/labs/data/regression_data.h"
#include "core/labs/methods/method_lab.h"
#include "core/labs/methods/regression_method.h"
#include "core/labs/regression/regression_scores.h"

namespace dubito {

/// What all methods of the laboratory share, so that their results can be compared.
struct RegressionLabOptions {
  /// Training points of a computed dataset.
  std::int64_t points = 100;
  /// Whether methods see data with mean 0 and standard deviation 1. Results are always in the units
  /// of the data.
  bool scale = true;
  /// Standard deviation of the noise, in the unit of y. Automatic: the true one of a computed
  /// dataset, else estimateNoiseStd().
  std::optional<double> noise = {};
  /// Number of inputs at which predictions are drawn, evenly over the shown range; a finished curve
  /// that turns faster is drawn at as many as it needs, up to 2000.
  std::int64_t grid = 200;
  /// Largest number of function draws per prediction.
  std::int64_t max_draws = 100;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

/// A prediction over a range of inputs, in the units of the data.
struct RegressionCurve {
  std::vector<double> x;              ///< [G] ascending
  std::vector<double> mean;           ///< [G]
  std::vector<double> std_epistemic;  ///< [G] standard deviation of f
  std::vector<double> std_total;      ///< [G] with the noise
  Array<double> draws;                ///< [D, G] some functions of the posterior; may be empty
};

/// Inputs between which covariances are shown: odd, so that one is in the middle.
inline constexpr std::int64_t kCovarianceInputs = 65;

/// What a laboratory shows of one method at one moment; immutable, in the units of the data. Its
/// curve is that over RegressionData::shown, whatever part of it is drawn, so that distances
/// between methods do not depend on the view.
struct RegressionPicture : MethodPicture, RegressionCurve {
  /// The curve over the range that picture() draws on request, if that is another one.
  std::optional<RegressionCurve> view;
  std::optional<WeightPlane> weights;  ///< of methods that are linear in two weights
  /// Between kCovarianceInputs inputs, evenly over the range that is drawn, in the units of the
  /// data; of methods with a covariance function.
  std::optional<FunctionCovariance> covariance;
  RegressionScores scores;
  double scored_seconds = 0.0;  ///< `seconds` at the time of the scores
};

/// One method at work on one dataset: scales the data, lets the method advance, and describes its
/// state.
class RegressionLab : public MethodLab<RegressionData, RegressionLearner> {
 public:
  /// kInvalidArgument for invalid options or data, or as RegressionMethod::start().
  [[nodiscard]] static Expected<RegressionLab> start(const RegressionData& data,
                                                     const RegressionMethod& method,
                                                     const RegressionLabOptions& options,
                                                     std::uint64_t seed);

  /// Predictions, scores and diagnostics of the current state. Scores take most of the time; if
  /// `earlier` is not null, those of that picture are repeated. `view`: inputs to draw; nullopt:
  /// RegressionData::shown.
  [[nodiscard]] Expected<RegressionPicture> picture(RunContext& context,
                                                    const RegressionPicture* earlier = nullptr,
                                                    std::optional<Interval> view = {}) const;

 private:
  using MethodLab::MethodLab;
  [[nodiscard]] Expected<RegressionPrediction> predict(const std::vector<double>& x,
                                                       RunContext& context) const;
  [[nodiscard]] std::vector<double> scaledInputs(const std::vector<double>& x) const;
  [[nodiscard]] Expected<std::optional<FunctionCovariance>> covariance(Interval range,
                                                                       RunContext& context) const;
  [[nodiscard]] Status score(RegressionPicture& picture, RunContext& context) const;
  /// Writes the prediction over `range` into `curve`. `wanted`: number of its inputs, as far as
  /// they are not more than can be drawn.
  [[nodiscard]] Status draw(Interval range, std::int64_t wanted, RegressionCurve& curve,
                            RunContext& context) const;
  /// Number of inputs in `range` at which the curve is drawn without losing its shape, at least
  /// that of the options.
  [[nodiscard]] std::int64_t inputsWanted(Interval range) const;

  RegressionLabOptions options_;
  Standardisation scale_;
};

/// How far apart two predictive distributions of f are: the mean over the inputs of the
/// 2-Wasserstein distance between the Gaussians N(mean, std_epistemic^2), in the unit of y. Throws
/// std::invalid_argument if the inputs differ in number.
[[nodiscard]] double predictiveDistance(const RegressionPicture& a, const RegressionPicture& b);

}  // namespace dubito
