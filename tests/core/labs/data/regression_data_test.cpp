// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/data/regression_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "core/labs/data/regression_sets.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

Expected<RegressionData> opened(const std::string& specification, std::int64_t points = 100,
                                std::uint64_t seed = 1) {
  RunContext context;
  return openRegressionData(specification, points, seed, context);
}

Expected<RegressionData> openedText(const std::string& text, const std::string& options = "") {
  const test::TempDir folder;
  const std::string path = (folder.path() / "points.csv").string();
  std::ofstream(path) << text;
  return opened("csv:" + path + options);
}

TEST(RegressionSets, PresetsHaveTheirPointsAndKeepTestPointsApart) {
  for (const RegressionSetInfo& info : regressionSets()) {
    const auto data = opened(info.key);
    ASSERT_TRUE(data) << info.key;
    EXPECT_EQ(data->train.size(), 100) << info.key;
    EXPECT_EQ(data->test.size(), 200) << info.key;
    EXPECT_EQ(std::ranges::find_first_of(data->train.x, data->test.x), data->train.x.end());
    EXPECT_TRUE(std::ranges::all_of(data->train.x, [](double x) { return std::abs(x) <= 4.0; }));
  }
}

TEST(RegressionSets, NoiseOfTheSineIsAsStated) {
  const auto data = opened("sine", 5000);
  ASSERT_TRUE(data);
  ASSERT_EQ(data->noise_std, 10.0);
  double squares = 0.0;
  double inputs = 0.0;
  for (std::size_t i = 0; i < data->train.x.size(); ++i) {
    const double residual = data->train.y[i] - 100.0 * std::sin(data->train.x[i]);
    squares += residual * residual / 5000.0;
    inputs += data->train.x[i] * data->train.x[i] / 5000.0;
  }
  EXPECT_NEAR(squares, 100.0, 5.0 * 100.0 * std::sqrt(2.0 / 5000.0));
  // Variance of N(0, 1) cut to [-2, 2], times 4.
  EXPECT_NEAR(inputs, 4.0 * 0.7737413, 0.15);
}

TEST(RegressionSets, InputsWithAGapLeaveItFree) {
  const auto data = opened("gap");
  ASSERT_TRUE(data);
  EXPECT_TRUE(std::ranges::none_of(data->train.x, [](double x) { return std::abs(x) < 1.0; }));
}

TEST(RegressionSets, TheSeedDecides) {
  EXPECT_EQ(opened("sine")->train.y, opened("sine")->train.y);
  EXPECT_NE(opened("sine")->train.y, opened("sine", 100, 2)->train.y);
}

TEST(RegressionSets, Co2OfTheSample) {
  const auto data = opened("co2");
  ASSERT_TRUE(data) << data.error().message;
  EXPECT_EQ(data->x_label, "year");
  EXPECT_GT(data->train.size(), 600);
  EXPECT_DOUBLE_EQ(data->train.x.front(), 1958.2027);
  EXPECT_DOUBLE_EQ(data->train.y.front(), 315.71);
  EXPECT_NEAR(static_cast<double>(data->test.size()) / static_cast<double>(data->train.size()),
              0.25, 0.01);
}

TEST(RegressionFiles, ReadsNamedColumnsAndCountsWhatIsLeftOut) {
  const auto data = openedText("t,place,level\n1,a,5\n2,b,\n3,c,nan\n4,d,8\n", "?x=t&y=level");
  ASSERT_TRUE(data) << data.error().message;
  EXPECT_EQ(data->train.x, (std::vector<double>{1, 4}));
  EXPECT_EQ(data->train.y, (std::vector<double>{5, 8}));
  ASSERT_EQ(data->notes.size(), 1U);
  EXPECT_EQ(data->notes[0], "2 rows without two numbers left out");
}

TEST(RegressionFiles, ChoosesTheFirstTwoColumnsWithNumbers) {
  const auto data = openedText("place;t;level\na;1;5\nb;2;6\n");
  ASSERT_TRUE(data) << data.error().message;
  EXPECT_EQ(data->x_label, "t");
  EXPECT_EQ(data->y_label, "level");
}

TEST(RegressionFiles, UsesAnEvenSelectionOfManyPoints) {
  std::string text = "x,y\n";
  for (int i = 0; i < 25000; ++i) {
    text += std::to_string(i) + "," + std::to_string(i % 7) + "\n";
  }
  const auto data = openedText(text);
  ASSERT_TRUE(data);
  EXPECT_EQ(data->train.size() + data->test.size(), 8334);
  EXPECT_EQ(data->notes.back(),
            "8334 of 25000 points are used: one in 3, in the order of the file");
}

TEST(RegressionFiles, ErrorsNameFileReasonAndRemedy) {
  const auto message = [](const Expected<RegressionData>& data) {
    return data ? std::string("no error") : data.error().message;
  };
  EXPECT_NE(message(openedText("x,y\n1,2\n")).find("has 1 point; add points"), std::string::npos);
  EXPECT_NE(message(openedText("x,y\n3,1\n3,2\n")).find("all points have the same x"),
            std::string::npos);
  EXPECT_NE(message(openedText("x,y\na,b\n")).find("no row has two numbers"), std::string::npos);
  EXPECT_NE(message(openedText("x,y\n1,2\n", "?x=time")).find("has no column 'time'"),
            std::string::npos)
      << message(openedText("x,y\n1,2\n", "?x=time"));
  EXPECT_NE(message(openedText("x,y\n1,2\n", "?z=3")).find("unknown option"), std::string::npos);
  EXPECT_NE(message(opened("sinus")).find("use sine, gap, cubic"), std::string::npos);
  EXPECT_NE(message(opened("csv:/nowhere/points.csv")).find("/nowhere/points.csv"),
            std::string::npos);
  EXPECT_NE(message(opened("sine", 1)).find("add points"), std::string::npos);
}

TEST(Standardisation, GoesThereAndBack) {
  const RegressionPoints points{{1.0, 2.0, 6.0}, {10.0, 10.0, 40.0}};
  const Standardisation scale = Standardisation::of(points);
  double mean = 0.0;
  double squares = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    mean += scale.scaledY(points.y[i]) / 3.0;
    squares += scale.scaledY(points.y[i]) * scale.scaledY(points.y[i]) / 3.0;
    EXPECT_NEAR(scale.unscaledY(scale.scaledY(points.y[i])), points.y[i], 1e-12);
  }
  EXPECT_NEAR(mean, 0.0, 1e-12);
  EXPECT_NEAR(squares, 1.0, 1e-12);
  EXPECT_EQ(Standardisation::of({{1.0, 2.0}, {5.0, 5.0}}).y_std, 1.0);
}

}  // namespace
}  // namespace dubito
