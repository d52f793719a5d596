// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/regression/regression_lab.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>

#include "core/labs/data/regression_sets.h"
#include "core/labs/regression/regression_methods.h"

namespace dubito {
namespace {

/// A line by least squares; its epistemic variance is that of two draws around it.
class LineLearner : public RegressionLearner {
 public:
  LineLearner(const RegressionProblem& problem, double factor)
      : noise_(problem.noise_std * problem.noise_std), factor_(factor) {
    double xx = 0.0;
    double xy = 0.0;
    for (std::size_t i = 0; i < problem.x.size(); ++i) {
      xx += problem.x[i] * problem.x[i];
      xy += problem.x[i] * problem.y[i];
    }
    slope_ = xy / xx;
  }

  [[nodiscard]] std::int64_t done() const override { return done_; }
  [[nodiscard]] std::int64_t total() const override { return 3; }
  [[nodiscard]] Status advance(std::int64_t units, RunContext& /*context*/) override {
    done_ = std::min(done_ + units, total());
    return {};
  }
  [[nodiscard]] Expected<RegressionPrediction> predict(std::span<const double> x,
                                                       std::int64_t /*max_draws*/,
                                                       RunContext& /*context*/) const override {
    const auto n = static_cast<std::int64_t>(x.size());
    auto draws = Array<double>::zeros({2, n});
    for (std::int64_t i = 0; i < n; ++i) {
      const double value = factor_ * slope_ * x[static_cast<std::size_t>(i)];
      draws.mutableRow(0)[static_cast<std::size_t>(i)] = value - 0.1;
      draws.mutableRow(1)[static_cast<std::size_t>(i)] = value + 0.1;
    }
    return predictionOfDraws(std::move(draws), {}, noise_);
  }
  [[nodiscard]] LabDiagnostics diagnostics() const override { return {}; }

 private:
  double noise_;
  double factor_;
  double slope_ = 0.0;
  std::int64_t done_ = 0;
};

class LineMethod : public RegressionMethod {
 public:
  explicit LineMethod(double factor = 1.0) : factor_(factor) {}
  [[nodiscard]] std::vector<Field> fields() override { return {}; }
  [[nodiscard]] Status check() const override { return {}; }
  [[nodiscard]] Expected<std::unique_ptr<RegressionLearner>> start(
      const RegressionProblem& problem, std::uint64_t /*seed*/) const override {
    return std::make_unique<LineLearner>(problem, factor_);
  }

 private:
  double factor_;
};

/// y = 1000 + 50 x without noise.
RegressionData lineData(bool with_test) {
  RegressionData data;
  data.name = "line";
  for (int i = 0; i < 20; ++i) {
    data.train.x.push_back(i);
    data.train.y.push_back(1000.0 + 50.0 * i);
  }
  if (with_test) {
    data.test = {{2.5, 30.0}, {1125.0, 2500.0}};
  }
  data.noise_std = 8.0;
  data.shown = {-10.0, 40.0};
  return data;
}

TEST(RegressionLab, ResultsAreInTheUnitsOfTheData) {
  RunContext context;
  for (const bool scale : {true, false}) {
    RegressionData data = lineData(true);
    if (!scale) {
      // Without scaling, the line of the method goes through the origin.
      data.train.y = data.train.x;
      data.test.y = data.test.x;
    }
    auto lab = RegressionLab::start(data, LineMethod(), {.scale = scale, .grid = 11}, 1);
    ASSERT_TRUE(lab);
    const auto picture = lab->picture(context);
    ASSERT_TRUE(picture);
    const double y_std = scale ? Standardisation::of(data.train).y_std : 1.0;
    EXPECT_EQ(picture->x.front(), -10.0);
    EXPECT_EQ(picture->x.back(), 40.0);
    EXPECT_NEAR(picture->mean[2], scale ? 1000.0 : 0.0, 1e-9);
    EXPECT_NEAR(picture->std_epistemic[2], 0.1 * y_std, 1e-9);
    EXPECT_NEAR(picture->std_total[2], std::hypot(0.1 * y_std, 8.0), 1e-9);
    EXPECT_NEAR(picture->draws.row(1)[2] - picture->draws.row(0)[2], 0.2 * y_std, 1e-9);
    EXPECT_NEAR(picture->scores.rmse, 0.0, 1e-9);
    EXPECT_EQ(picture->scored_points, 2);
    EXPECT_FALSE(picture->scored_on_training_points);
  }
}

TEST(RegressionLab, WithoutTestPointsTheTrainingPointsAreScoredAndItIsStated) {
  RunContext context;
  auto lab = RegressionLab::start(lineData(false), LineMethod(), {}, 1);
  ASSERT_TRUE(lab);
  ASSERT_TRUE(lab->advance(2, context));
  const auto picture = lab->picture(context);
  ASSERT_TRUE(picture);
  EXPECT_TRUE(picture->scored_on_training_points);
  EXPECT_EQ(picture->scored_points, 20);
  EXPECT_EQ(picture->done, 2);
  EXPECT_EQ(picture->total, 3);
}

TEST(RegressionLab, ScoresOfAnEarlierPictureCanBeRepeated) {
  RunContext context;
  auto lab = RegressionLab::start(lineData(true), LineMethod(), {}, 1);
  ASSERT_TRUE(lab);
  RegressionPicture earlier;
  earlier.scores.rmse = 123.0;
  earlier.scored_points = 7;
  const auto picture = lab->picture(context, &earlier);
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->scores.rmse, 123.0);
  EXPECT_EQ(picture->scored_points, 7);
  EXPECT_EQ(picture->mean, lab->picture(context)->mean);
}

TEST(RegressionLab, AnotherViewIsDrawnWithoutChangingTheRest) {
  RunContext context;
  auto lab = RegressionLab::start(lineData(true), LineMethod(), {.grid = 11}, 1);
  ASSERT_TRUE(lab);
  const auto whole = lab->picture(context);
  const auto wide = lab->picture(context, nullptr, Interval{-100.0, 100.0});
  ASSERT_TRUE(whole && wide && wide->view);
  EXPECT_FALSE(whole->view);
  EXPECT_EQ(wide->view->x.front(), -100.0);
  EXPECT_EQ(wide->view->x.back(), 100.0);
  EXPECT_NEAR(wide->view->mean.back(), 6000.0, 1e-9);
  EXPECT_EQ(wide->view->std_total.size(), 11U);
  // What is compared does not depend on the view.
  EXPECT_EQ(wide->x, whole->x);
  EXPECT_EQ(wide->mean, whole->mean);
  EXPECT_EQ(wide->scores.log_likelihood, whole->scores.log_likelihood);
  EXPECT_FALSE(lab->picture(context, nullptr, lineData(true).shown)->view);
}

TEST(RegressionLab, CovariancesAreInTheUnitsOfTheData) {
  RunContext context;
  const RegressionData data = lineData(false);
  EXPECT_FALSE(RegressionLab::start(data, LineMethod(), {}, 1)->picture(context)->covariance);
  const auto method = findRegressionMethod("gp")->make();
  ASSERT_TRUE(fieldsFromJson({{"kernel", "2*se(0.5)"}, {"optimise", false}}, method->fields()));
  auto lab = RegressionLab::start(data, *method, {}, 1);
  ASSERT_TRUE(lab);
  ASSERT_TRUE(lab->advance(lab->total(), context));
  const Standardisation scale = Standardisation::of(data.train);
  for (const Interval range : {data.shown, Interval{5.0, 12.0}}) {
    const auto picture = lab->picture(context, nullptr, range);
    ASSERT_TRUE(picture && picture->covariance);
    const FunctionCovariance& covariance = *picture->covariance;
    ASSERT_EQ(std::ssize(covariance.x), kCovarianceInputs);
    EXPECT_EQ(covariance.x.front(), range.low);
    EXPECT_EQ(covariance.x.back(), range.high);
    const double distance = (covariance.x[1] - covariance.x[0]) / scale.x_std;
    const double variance = scale.y_std * scale.y_std;
    EXPECT_NEAR(covariance.prior.row(0)[1] / variance,
                2.0 * std::exp(-0.5 * distance * distance / 0.25), 1e-9);
    const RegressionCurve& curve = picture->view ? *picture->view : *picture;
    EXPECT_NEAR(std::sqrt(covariance.posterior.row(0)[0]), curve.std_epistemic.front(),
                1e-6 * scale.y_std);
  }
}

TEST(ShownAround, HasAnExtentWhateverThePointsAre) {
  EXPECT_EQ(shownAround({{1.0, 5.0}, {0.0, 0.0}}).low, 0.0);
  EXPECT_EQ(shownAround({{2.0}, {0.0}}).low, 1.0);
  EXPECT_EQ(shownAround({{2.0}, {0.0}}).high, 3.0);
  EXPECT_EQ(shownAround({}).high, 5.0);
}

TEST(RegressionLab, ACurveThatTurnsFastIsDrawnAtAsManyInputsAsItNeeds) {
  // 103 years of a yearly wave: 200 inputs would show another one.
  RegressionData data;
  data.name = "wave";
  for (int i = 0; i < 60; ++i) {
    data.train.x.push_back(0.17 * i);
    data.train.y.push_back(std::sin(2.0 * std::numbers::pi * 0.17 * i));
  }
  data.shown = {0.0, 103.0};
  const auto picture = [&](const char* kernel) {
    const auto method = findRegressionMethod("gp")->make();
    EXPECT_TRUE(fieldsFromJson({{"kernel", kernel}, {"optimise", false}, {"noise_from", "0.05"}},
                               method->fields()));
    RunContext context;
    auto lab = RegressionLab::start(data, *method, {.scale = false, .noise = 0.05}, 1).value();
    EXPECT_EQ(lab.picture(context)->x.size(), 200U);  // coarse while it moves
    EXPECT_TRUE(lab.advance(lab.total(), context));
    return lab.picture(context).value();
  };
  const RegressionPicture yearly = picture("1*periodic(1, 1)");
  ASSERT_EQ(yearly.x.size(), 1237U);
  int crossings = 0;
  double worst = 0.0;
  for (std::size_t i = 1; i < yearly.x.size(); ++i) {
    crossings += (yearly.mean[i] > 0.0) != (yearly.mean[i - 1] > 0.0) ? 1 : 0;
    worst =
        std::max(worst, std::abs(yearly.mean[i] - std::sin(2.0 * std::numbers::pi * yearly.x[i])));
  }
  EXPECT_NEAR(crossings, 206, 2);
  EXPECT_LT(worst, 0.1);
  EXPECT_TRUE(yearly.diagnostics.warnings.empty());
  // Smooth curves keep the number of the options; curves that are too fast are said to be.
  EXPECT_EQ(picture("1*se(30)").x.size(), 200U);
  const RegressionPicture daily = picture("1*periodic(1, 0.01)");
  EXPECT_EQ(daily.x.size(), 2000U);
  ASSERT_FALSE(daily.diagnostics.warnings.empty());
  EXPECT_NE(daily.diagnostics.warnings.back().find("2000 inputs"), std::string::npos);
}

TEST(RegressionLab, NoiseOfTheOptionsWins) {
  RunContext context;
  auto lab = RegressionLab::start(lineData(true), LineMethod(), {.noise = 3.0}, 1);
  ASSERT_TRUE(lab);
  const auto picture = lab->picture(context);
  ASSERT_TRUE(picture);
  EXPECT_NEAR(std::pow(picture->std_total[0], 2) - std::pow(picture->std_epistemic[0], 2), 9.0,
              1e-9);
}

TEST(RegressionLab, PredictionsThatAreNotFiniteAreAnError) {
  RunContext context;
  auto lab = RegressionLab::start(lineData(true),
                                  LineMethod(std::numeric_limits<double>::quiet_NaN()), {}, 1);
  ASSERT_TRUE(lab);
  const auto picture = lab->picture(context);
  ASSERT_FALSE(picture);
  EXPECT_NE(picture.error().message.find("use a smaller step size"), std::string::npos);
}

TEST(RegressionLab, RefusesInvalidOptionsAndData) {
  EXPECT_FALSE(RegressionLab::start(lineData(true), LineMethod(), {.noise = 0.0}, 1));
  EXPECT_FALSE(RegressionLab::start(lineData(true), LineMethod(), {.grid = 1}, 1));
  RegressionData same = lineData(true);
  same.train.x.assign(20, 4.0);
  const auto refused = RegressionLab::start(same, LineMethod(), {}, 1);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("same x"), std::string::npos);
}

TEST(PredictiveDistance, IsThatOfGaussians) {
  RegressionPicture a;
  a.mean = {0.0, 1.0};
  a.std_epistemic = {1.0, 1.0};
  RegressionPicture b;
  b.mean = {3.0, 1.0};
  b.std_epistemic = {5.0, 1.5};
  EXPECT_DOUBLE_EQ(predictiveDistance(a, b), (5.0 + 0.5) / 2.0);
  EXPECT_EQ(predictiveDistance(a, a), 0.0);
}

TEST(NoiseEstimate, FindsTheNoiseOfPresets) {
  RunContext context;
  for (const char* key : {"sine", "gap", "cubic"}) {
    double mean = 0.0;
    double truth = 0.0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto data = openRegressionData(key, 1000, seed, context);
      ASSERT_TRUE(data);
      truth = *data->noise_std;
      const double estimate = estimateNoiseStd(data->train);
      mean += estimate * estimate / 20.0;
    }
    EXPECT_NEAR(std::sqrt(mean) / truth, 1.0, 0.03) << key;
  }
}

TEST(NoiseEstimate, IsExactForAKnownPattern) {
  // Neighbours on a line at 0, the middle point off by 3: 3^2 / (1/4 + 1/4 + 1), one point.
  EXPECT_DOUBLE_EQ(estimateNoiseStd({{2.0, 0.0, 1.0}, {0.0, 0.0, 3.0}}), std::sqrt(6.0));
  EXPECT_GT(estimateNoiseStd({{0.0, 1.0, 2.0, 3.0}, {5.0, 5.0, 5.0, 5.0}}), 0.0);
  EXPECT_GT(estimateNoiseStd({{0.0, 1.0}, {5.0, 7.0}}), 0.0);
  EXPECT_TRUE(std::isfinite(estimateNoiseStd({{1.0, 1.0, 1.0, 2.0}, {0.0, 1.0, 2.0, 5.0}})));
}

}  // namespace
}  // namespace dubito
