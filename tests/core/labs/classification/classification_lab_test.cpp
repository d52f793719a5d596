// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/classification/classification_lab.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/labs/classification/class_maps.h"
#include "core/labs/classification/class_methods.h"
#include "core/measures/dirichlet.h"
#include "core/measures/measures.h"

namespace dubito {
namespace {

ClassData dataOf(const std::string& set, std::int64_t points = 100) {
  RunContext context;
  return openClassData(set, {.points = points}, 1, context).value();
}

Expected<ClassPicture> pictureOf(const ClassData& data, ClassMethod& method,
                                 const ClassificationLabOptions& options) {
  RunContext context;
  auto lab = ClassificationLab::start(data, method, 3);
  if (!lab) {
    return failWith(lab);
  }
  while (lab->done() < lab->total()) {
    if (const Status advanced = lab->advance(100, context); !advanced) {
      return failWith(advanced);
    }
  }
  return lab->picture(options, context);
}

TEST(ClassificationLab, MapsCoverTheZoomedSquareWithTheFirstRowBelow) {
  const ClassData data = dataOf("moons");
  const auto method = findClassMethod("map")->make();
  for (const double zoom : {1.0, 4.0}) {
    const auto picture = pictureOf(data, *method, {.zoom = zoom, .grid = 30}).value();
    EXPECT_EQ(picture.x1.low, -6.0 * zoom);
    EXPECT_EQ(picture.x2.high, 6.0 * zoom);
    ASSERT_EQ(picture.prediction.probs.extent(0), 900);
  }
  // The upper moon is class 0.
  const auto picture = pictureOf(data, *method, {.grid = 30}).value();
  const auto classAt = [&](double x1, double x2) {
    const auto cell = [](double x) { return static_cast<std::int64_t>((x + 6.0) / 12.0 * 30.0); };
    return argmax(picture.prediction.probs.row(cell(x2) * 30 + cell(x1)));
  };
  EXPECT_EQ(classAt(-1.3, 1.9), 0);
  EXPECT_EQ(classAt(1.3, -1.9), 1);
}

TEST(ClassificationLab, MapsAreTheMeasuresOfTheirPrediction) {
  const ClassData data = dataOf("blobs", 60);
  const auto method = findClassMethod("laplace-full")->make();
  ASSERT_TRUE(fieldsFromJson({{"link", "bridge-centred"}, {"epochs", 100}}, method->fields()));
  const auto picture = pictureOf(data, *method, {.grid = 12}).value();
  const auto& prediction = picture.prediction;
  for (const ClassMapInfo& map : classMaps()) {
    const auto values = map.values(prediction);
    ASSERT_TRUE(values) << map.key;
    ASSERT_EQ(values->size(), 144) << map.key;
  }
  for (std::int64_t m = 0; m < 144; ++m) {
    const auto alpha = prediction.alpha->row(m);
    const DirichletSummary summary = summariseDirichlet(alpha);
    const auto at = [&](const char* key) {
      return findClassMap(key)->values(prediction)->data()[m];
    };
    EXPECT_EQ(at("max_probability"), confidenceOf(prediction.probs.row(m)));
    EXPECT_NEAR(at("entropy"), at("aleatoric") + at("epistemic"), 1e-9);
    double sum = 0.0;
    double variance = 0.0;
    for (const double a : alpha) {
      sum += a;
    }
    for (const double a : alpha) {
      variance += a / sum * (1.0 - a / sum) / (sum + 1.0);
    }
    EXPECT_NEAR(at("alpha_0"), sum, 1e-9 * sum);
    EXPECT_NEAR(at("dirichlet_variance"), variance, 1e-9);
    EXPECT_NEAR(at("epistemic"), summary.mutual_information, 1e-6);
  }
}

TEST(ClassificationLab, MapsThatAMethodDoesNotGiveAreAbsent) {
  const auto method = findClassMethod("map")->make();
  const auto picture = pictureOf(dataOf("blobs", 40), *method, {.grid = 6}).value();
  for (const ClassMapInfo& map : classMaps()) {
    EXPECT_EQ(map.values(picture.prediction).has_value(), std::string(map.missing).empty())
        << map.key;
  }
}

TEST(ClassificationLab, ScoresTheTestPoints) {
  const ClassData data = dataOf("blobs");
  const auto method = findClassMethod("map")->make();
  const auto picture = pictureOf(data, *method, {.grid = 10}).value();
  EXPECT_EQ(picture.scored_points, 400);
  EXPECT_FALSE(picture.scored_on_training_points);
  EXPECT_GT(picture.scores.accuracy, 0.97);
  EXPECT_LT(picture.scores.nll, 0.15);
  EXPECT_GT(picture.scores.far_confidence, 0.99);
  ClassData own = data;
  own.test = {};
  const auto on_train = pictureOf(own, *method, {.grid = 10}).value();
  EXPECT_TRUE(on_train.scored_on_training_points);
  EXPECT_EQ(on_train.scored_points, 100);
}

TEST(ClassificationLab, ReliabilityIsOfTheScoredPoints) {
  const auto method = findClassMethod("map")->make();
  for (const char* const set : {"moons", "spiral"}) {
    const ClassScores scores = pictureOf(dataOf(set), *method, {.grid = 10})->scores;
    const ReliabilityDiagram& diagram = scores.reliability;
    EXPECT_EQ(std::ssize(diagram.bins), kLabReliabilityBins) << set;
    EXPECT_EQ(diagram.total, 400) << set;
    double accuracy = 0.0;
    double confidence = 0.0;
    double ece = 0.0;
    for (const ReliabilityBin& bin : diagram.bins) {
      if (bin.count > 0) {
        const double share = static_cast<double>(bin.count) / 400.0;
        accuracy += share * bin.accuracy;
        confidence += share * bin.confidence;
        ece += share * std::abs(bin.accuracy - bin.confidence);
      }
    }
    EXPECT_NEAR(accuracy, scores.accuracy, 1e-12) << set;
    EXPECT_NEAR(confidence, scores.mean_confidence, 1e-12) << set;
    EXPECT_NEAR(ece, diagram.ece, 1e-12) << set;
  }
}

TEST(ClassificationLab, SampledMapsFarAwayAreNearTheirIntegrals) {
  // Softmax over the Gaussian of each cell's logits, integrated over a grid of the differences of
  // logits by NumPy, which also trained the network and inverted the curvature.
  const std::vector<double> integrals{0.9245, 0.8658, 0.8175, 0.9342, 0.8622, 0.9280,
                                      0.9368, 0.8184, 0.8207, 0.9330, 0.9307, 0.8555,
                                      0.9299, 0.8185, 0.8722, 0.9278};
  RunContext context;
  const ClassData data = openClassData("blobs", {}, 0, context).value();
  for (const auto& [draws, most] : {std::pair{50, 0.025}, std::pair{10000, 0.006}}) {
    ClassificationLabOptions options{.zoom = 10.0, .grid = 4, .max_draws = draws, .borders = 0};
    const auto method = findClassMethod("laplace-full")->make();
    ASSERT_TRUE(fieldsFromJson({{"draws", draws}}, method->fields()));
    auto lab = ClassificationLab::start(data, *method, 0).value();
    ASSERT_TRUE(lab.advance(lab.total(), context));
    const ClassPicture picture = lab.picture(options, context).value();
    double squares = 0.0;
    for (std::size_t m = 0; m < integrals.size(); ++m) {
      const double error =
          confidenceOf(picture.prediction.probs.row(static_cast<std::int64_t>(m))) - integrals[m];
      squares += error * error / static_cast<double>(integrals.size());
    }
    EXPECT_LT(std::sqrt(squares), most) << draws;
  }
}

TEST(ClassificationLab, WorksInTheUnitsOfTheData) {
  // The same points in other units give the same probabilities.
  const ClassData data = dataOf("moons");
  ClassData moved = data;
  for (ClassPoints* const points : {&moved.train, &moved.test}) {
    for (double& x : points->x1) {
      x = 1000.0 + 50.0 * x;
    }
    for (double& x : points->x2) {
      x *= 0.001;
    }
  }
  moved.shown_x1 = {700.0, 1300.0};
  moved.shown_x2 = {-0.006, 0.006};
  const auto method = findClassMethod("gp")->make();
  const auto here = pictureOf(data, *method, {.grid = 8}).value();
  const auto there = pictureOf(moved, *method, {.grid = 8}).value();
  EXPECT_EQ(there.x1.low, 700.0);
  EXPECT_EQ(there.x2.high, 0.006);
  EXPECT_NEAR(here.scores.nll, there.scores.nll, 1e-6);
  for (std::int64_t i = 0; i < here.prediction.probs.size(); ++i) {
    EXPECT_NEAR(here.prediction.probs.data()[i], there.prediction.probs.data()[i], 1e-5);
  }
  // Borders are in the units of the data.
  ASSERT_FALSE(there.border.empty());
  for (const Polyline& line : there.border) {
    EXPECT_TRUE(std::ranges::all_of(line.x, [](double x) { return x >= 700.0 && x <= 1300.0; }));
  }
}

TEST(ClassificationLab, BordersLieWhereTwoClassesAreEquallyLikely) {
  // Three linear functions: sectors that meet in the middle.
  constexpr std::int64_t kSide = 40;
  auto values = Array<double>::zeros({kSide * kSide, 3});
  for (std::int64_t m = 0; m < kSide * kSide; ++m) {
    const double x = (static_cast<double>(m % kSide) + 0.5) / kSide - 0.5;
    const double y = (static_cast<double>(m / kSide) + 0.5) / kSide - 0.5;
    values.mutableRow(m)[0] = y;
    values.mutableRow(m)[1] = -0.5 * y + x;
    values.mutableRow(m)[2] = -0.5 * y - x;
  }
  const std::vector<Polyline> borders = classBorders(values, kSide);
  ASSERT_FALSE(borders.empty());
  double length = 0.0;
  for (const Polyline& line : borders) {
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      const double x = line.x[i] - 0.5;
      const double y = line.y[i] - 0.5;
      std::vector<double> three{y, -0.5 * y + x, -0.5 * y - x};
      std::ranges::sort(three);
      EXPECT_NEAR(three[2], three[1], 2.0 / kSide);
      length += i > 0 ? std::hypot(line.x[i] - line.x[i - 1], line.y[i] - line.y[i - 1]) : 0.0;
    }
  }
  // The border between classes 0 and 1 (twice), 0 and 2, and 1 and 2; lines end half a cell before
  // the edge.
  EXPECT_NEAR(length, 3.0 * std::hypot(0.5, 1.0 / 3.0) + 0.5, 0.15);
}

TEST(ClassificationLab, BordersEndWhereNoClassLeads) {
  // Leads that fall with the distance from the middle, as those of a Gaussian process.
  constexpr std::int64_t kSide = 60;
  auto values = Array<double>::zeros({kSide * kSide, 2});
  for (std::int64_t m = 0; m < kSide * kSide; ++m) {
    const double x = 12.0 * ((static_cast<double>(m % kSide) + 0.5) / kSide - 0.5);
    const double y = 12.0 * ((static_cast<double>(m / kSide) + 0.5) / kSide - 0.5);
    // Beyond some distance only rounding is left, which has borders everywhere.
    const double noise = 1e-9 * std::sin(50.0 * x) * std::cos(70.0 * y);
    values.mutableRow(m)[0] = x * std::exp(-0.5 * (x * x + y * y)) + noise;
  }
  const auto farthest = [](const std::vector<Polyline>& borders) {
    double radius = 0.0;
    for (const Polyline& line : borders) {
      for (std::size_t i = 0; i < line.x.size(); ++i) {
        radius = std::max(radius, 12.0 * std::hypot(line.x[i] - 0.5, line.y[i] - 0.5));
      }
    }
    return radius;
  };
  EXPECT_GT(classBorders(values, kSide).size(), 10U);
  EXPECT_GT(farthest(classBorders(values, kSide)), 6.0);
  const std::vector<Polyline> borders = classBorders(values, kSide, 1e-3);
  ASSERT_EQ(borders.size(), 1U);
  // The line x = 0, up to where x exp(-r^2 / 2) is a thousandth one cell aside.
  EXPECT_GT(farthest(borders), 2.5);
  EXPECT_LT(farthest(borders), 4.5);
  EXPECT_TRUE(std::ranges::all_of(borders[0].x, [](double x) { return std::abs(x - 0.5) < 0.02; }));
}

TEST(ClassificationLab, AGaussianProcessKnowsNothingFarAway) {
  for (const char* const set : {"blobs", "moons"}) {
    const ClassData data = dataOf(set);
    const auto method = findClassMethod("gp")->make();
    const auto picture = pictureOf(data, *method, {.zoom = 10.0, .grid = 60}).value();
    EXPECT_NEAR(picture.scores.far_confidence, 1.0 / static_cast<double>(data.classes()), 1e-9)
        << set;
    // No border outside of what the points reach: three times the square of the data.
    for (const Polyline& line : picture.border) {
      EXPECT_TRUE(std::ranges::all_of(line.x, [](double x) { return std::abs(x) < 18.0; })) << set;
      EXPECT_TRUE(std::ranges::all_of(line.y, [](double y) { return std::abs(y) < 18.0; })) << set;
    }
  }
}

TEST(ClassificationLab, SingleFunctionsHaveBordersOfTheirOwn) {
  const ClassData data = dataOf("moons");
  const auto bordersOf = [&](const char* key, std::int64_t borders) {
    const auto method = findClassMethod(key)->make();
    return pictureOf(data, *method, {.grid = 20, .borders = borders}).value().function_borders;
  };
  EXPECT_EQ(bordersOf("ensemble", 4).size(), 4U);
  EXPECT_EQ(bordersOf("laplace-full", 5).size(), 5U);
  EXPECT_TRUE(bordersOf("ensemble", 0).empty());
  EXPECT_TRUE(bordersOf("map", 5).empty());
  EXPECT_TRUE(bordersOf("gp", 5).empty());
}

TEST(ClassificationLab, RefusesInvalidDataAndOptions) {
  ClassData own;
  own.name = "Own points";
  own.class_names = numberedClasses(2);
  own.train.add(0.0, 0.0, 0);
  const auto method = findClassMethod("map")->make();
  const auto refused = ClassificationLab::start(own, *method, 1);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("class 1 has no points"), std::string::npos);
  EXPECT_FALSE((ClassificationLabOptions{.zoom = 11.0}.check()));
  EXPECT_FALSE((ClassificationLabOptions{.grid = 1}.check()));
  EXPECT_FALSE((ClassificationLabOptions{.set = {.arms = 9}}.check()));
  EXPECT_TRUE(ClassificationLabOptions{}.check());
  // Two points, all the same: a result, not an error.
  own.train.add(0.0, 0.0, 1);
  const auto picture = pictureOf(own, *method, {.grid = 6});
  ASSERT_TRUE(picture) << picture.error().message;
  EXPECT_NEAR(picture->scores.nll, std::log(2.0), 1e-3);
}

}  // namespace
}  // namespace dubito
