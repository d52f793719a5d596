// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/regression/regression_lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace dubito {
namespace {

/// More functions cannot be told apart in a plot.
constexpr std::int64_t kMaxDrawnFunctions = 20;
/// Inputs at which a curve is drawn if it needs more than the options say; more take seconds.
constexpr std::int64_t kMaxDrawnInputs = 2000;

RegressionProblem problemOf(const RegressionData& data, const Standardisation& scale,
                            double noise_std) {
  RegressionProblem problem;
  for (std::size_t i = 0; i < data.train.x.size(); ++i) {
    problem.x.push_back(scale.scaledX(data.train.x[i]));
    problem.y.push_back(scale.scaledY(data.train.y[i]));
  }
  problem.noise_std = noise_std / scale.y_std;
  problem.range = {scale.scaledX(data.shown.low), scale.scaledX(data.shown.high)};
  return problem;
}

void multiply(std::span<double> values, double factor) {
  for (double& value : values) {
    value *= factor;
  }
}

/// In the units of the data.
void unscale(RegressionPrediction& prediction, const Standardisation& scale) {
  for (double& value : prediction.mean) {
    value = scale.unscaledY(value);
  }
  for (double& value : prediction.draws.mutableValues()) {
    value = scale.unscaledY(value);
  }
  const double factor = scale.y_std * scale.y_std;
  multiply(prediction.epistemic_variance, factor);
  multiply(prediction.noise_variance, factor);
  multiply(prediction.noise_variance_of_draws.mutableValues(), factor);
}

}  // namespace

std::vector<Field> RegressionLabOptions::fields() {
  return {
      field(&points, "points", "Points", "number of training points of a computed dataset",
            {.min = static_cast<double>(kMinLabPoints), .max = static_cast<double>(kMaxLabPoints)}),
      field(&scale, "scale", "Scale the data",
            "give methods x and y with mean 0 and standard deviation 1", {.advanced = true}),
      field(&noise, "noise", "Noise",
            "standard deviation of the noise, in the unit of y; automatic: the true one of "
            "computed data, else an estimate from neighbouring points",
            {.min = 0.0, .advanced = true}),
      field(&grid, "grid", "Inputs drawn", "number of inputs at which predictions are drawn",
            {.min = 2, .max = 2000, .advanced = true}),
      field(&max_draws, "max_draws", "Most draws",
            "largest number of function draws per prediction",
            {.min = 1, .max = 10000, .advanced = true})};
}

Status RegressionLabOptions::check() const {
  if (Status checked = checkFields(RegressionLabOptions(*this).fields()); !checked) {
    return checked;
  }
  if (noise && *noise <= 0.0) {
    return fail(ErrorCode::kInvalidArgument,
                "the noise must be greater than 0; leave it out to have it estimated",
                {setting("noise")});
  }
  return {};
}

Expected<RegressionLab> RegressionLab::start(const RegressionData& data,
                                             const RegressionMethod& method,
                                             const RegressionLabOptions& options,
                                             std::uint64_t seed) {
  const std::int64_t min_points = method.hasPrior() ? 0 : kMinLabPoints;
  for (const Status& checked :
       {options.check(), method.check(), checkRegressionData(data, min_points)}) {
    if (!checked) {
      return failWith(checked);
    }
  }
  const Standardisation scale = options.scale ? scaleOf(data) : Standardisation();
  const double noise = options.noise    ? *options.noise
                       : data.noise_std ? *data.noise_std
                                        : estimatedNoiseOf(data);
  auto learner = method.start(problemOf(data, scale, noise), seed);
  if (!learner) {
    return failWith(learner);
  }
  RegressionLab lab(data, *std::move(learner));
  lab.options_ = options;
  lab.scale_ = scale;
  return lab;
}

std::vector<double> RegressionLab::scaledInputs(const std::vector<double>& x) const {
  std::vector<double> scaled;
  for (const double value : x) {
    scaled.push_back(scale_.scaledX(value));
  }
  return scaled;
}

Expected<RegressionPrediction> RegressionLab::predict(const std::vector<double>& x,
                                                      RunContext& context) const {
  auto prediction = learner().predict(scaledInputs(x), options_.max_draws, context);
  if (!prediction) {
    return prediction;
  }
  if (!prediction->isFinite()) {
    return fail(ErrorCode::kInvalidArgument,
                "the predictions are not finite; use a smaller step size or learning rate, or "
                "scale the data");
  }
  unscale(*prediction, scale_);
  return prediction;
}

Expected<std::optional<FunctionCovariance>> RegressionLab::covariance(Interval range,
                                                                      RunContext& context) const {
  std::vector<double> x = evenlySpaced(range, kCovarianceInputs);
  auto result = learner().covariance(scaledInputs(x), context);
  if (result && *result) {
    FunctionCovariance& covariance = **result;
    covariance.x = std::move(x);
    const double factor = scale_.y_std * scale_.y_std;
    multiply(covariance.prior.mutableValues(), factor);
    multiply(covariance.posterior.mutableValues(), factor);
  }
  return result;
}

std::int64_t RegressionLab::inputsWanted(Interval shown) const {
  const std::optional<double> spacing = learner().plotSpacing();
  // Only for the result: a fine curve takes long while the method moves.
  if (!spacing || done() < total()) {
    return options_.grid;
  }
  const double range = scale_.scaledX(shown.high) - scale_.scaledX(shown.low);
  constexpr double kMaxCells = 1e9;
  const double wanted = std::ceil(std::clamp(range / *spacing, 0.0, kMaxCells)) + 1.0;
  return std::max(options_.grid, static_cast<std::int64_t>(wanted));
}

Status RegressionLab::score(RegressionPicture& picture, RunContext& context) const {
  const RegressionPoints& scored = scoredPoints(picture);
  if (scored.size() == 0) {
    return {};  // a prior has nothing to be scored on
  }
  const auto at_scored = predict(scored.x, context);
  if (!at_scored) {
    return failWith(at_scored);
  }
  picture.scores = scoreRegression(*at_scored, scored.y);
  picture.scored_seconds = seconds();
  return {};
}

Status RegressionLab::draw(Interval range, std::int64_t wanted, RegressionCurve& curve,
                           RunContext& context) const {
  curve.x = evenlySpaced(range, std::min(wanted, std::max(options_.grid, kMaxDrawnInputs)));
  auto drawn = predict(curve.x, context);
  if (!drawn) {
    return failWith(drawn);
  }
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    curve.std_epistemic.push_back(std::sqrt(drawn->epistemic_variance[i]));
    curve.std_total.push_back(std::sqrt(drawn->epistemic_variance[i] + drawn->noise_variance[i]));
  }
  curve.mean = std::move(drawn->mean);
  if (!drawn->draws.empty()) {
    curve.draws = drawn->draws.slice(0, std::min(kMaxDrawnFunctions, drawn->draws.extent(0)));
  }
  return {};
}

Expected<RegressionPicture> RegressionLab::picture(RunContext& context,
                                                   const RegressionPicture* earlier,
                                                   std::optional<Interval> view) const {
  RegressionPicture picture;
  const Interval shown = data().shown;
  const bool has_view = view && (view->low != shown.low || view->high != shown.high);
  const std::int64_t wanted_of_shown = inputsWanted(shown);
  if (Status drawn = draw(shown, wanted_of_shown, picture, context); !drawn) {
    return failWith(drawn);
  }
  const std::int64_t wanted = has_view ? inputsWanted(*view) : wanted_of_shown;
  if (has_view) {
    if (Status drawn = draw(*view, wanted, picture.view.emplace(), context); !drawn) {
      return failWith(drawn);
    }
  }
  if (earlier != nullptr) {
    picture.scores = earlier->scores;
    picture.scored_on_training_points = earlier->scored_on_training_points;
    picture.scored_points = earlier->scored_points;
    picture.scored_seconds = earlier->scored_seconds;
  } else if (Status scored = score(picture, context); !scored) {
    return failWith(scored);
  }
  describeState(picture);
  picture.weights = learner().weights(std::min(options_.max_draws, kMaxDrawnFunctions));
  auto covariances = covariance(has_view ? *view : shown, context);
  if (!covariances) {
    return failWith(covariances);
  }
  picture.covariance = *std::move(covariances);
  const RegressionCurve& drawn = has_view ? *picture.view : picture;
  if (wanted > std::ssize(drawn.x)) {
    picture.diagnostics.warnings.push_back(
        fmt::format("The curve turns faster than the {} inputs drawn can show, {} would be needed: "
                    "what is drawn is not its shape",
                    drawn.x.size(), wanted));
  }
  return picture;
}

double predictiveDistance(const RegressionPicture& a, const RegressionPicture& b) {
  if (a.mean.size() != b.mean.size() || a.mean.empty()) {
    throw std::invalid_argument("predictiveDistance: the pictures have other inputs");
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < a.mean.size(); ++i) {
    sum += std::hypot(a.mean[i] - b.mean[i], a.std_epistemic[i] - b.std_epistemic[i]);
  }
  return sum / static_cast<double>(a.mean.size());
}

}  // namespace dubito
