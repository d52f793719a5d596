// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/overlap/run_overlap.h"
#include "tests/support/matchers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace dubito {
namespace {

constexpr std::int64_t kClasses = 4;

/// Rows of a network on random items, as another program wrote them: no source, ids from 0.
struct Rows {
  std::vector<double> probs;
  std::vector<std::int64_t> labels;

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(labels.size()); }

  static Rows random(unsigned seed, std::int64_t items, double scale = 1.0, int decimals = 12) {
    std::mt19937 generator(seed);
    std::normal_distribution<double> normal(0.0, scale);
    const double step = std::pow(10.0, -decimals);
    Rows rows;
    for (std::int64_t i = 0; i < items; ++i) {
      std::vector<double> p(kClasses);
      for (double& value : p) {
        value = std::exp(normal(generator));
      }
      const double sum = std::accumulate(p.begin(), p.end(), 0.0);
      for (const double value : p) {
        rows.probs.push_back(std::round(value / sum / step) * step);
      }
      rows.labels.push_back(static_cast<std::int64_t>(generator() % kClasses));
    }
    return rows;
  }

  [[nodiscard]] Rows chosen(const std::vector<std::int64_t>& which) const {
    Rows rows;
    for (const std::int64_t i : which) {
      const auto row = probs.begin() + i * kClasses;
      rows.probs.insert(rows.probs.end(), row, row + kClasses);
      rows.labels.push_back(labels[static_cast<std::size_t>(i)]);
    }
    return rows;
  }
  [[nodiscard]] Rows shuffled(unsigned seed) const {
    std::vector<std::int64_t> order(labels.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::shuffle(order, std::mt19937(seed));
    return chosen(order);
  }
  [[nodiscard]] Rows with(const Rows& more) const {
    Rows rows = *this;
    rows.probs.insert(rows.probs.end(), more.probs.begin(), more.probs.end());
    rows.labels.insert(rows.labels.end(), more.labels.begin(), more.labels.end());
    return rows;
  }

  [[nodiscard]] Run run() const {
    Run run;
    Array<double> array = Array<double>::zeros({count(), kClasses});
    std::ranges::copy(probs, array.mutableData());
    std::vector<std::int64_t> ids(labels.size());
    std::iota(ids.begin(), ids.end(), 0);
    run.ids = Array<std::int64_t>::fromVector(ids);
    run.labels = Array<std::int64_t>::fromVector(labels);
    std::vector<std::int64_t> predictions;
    std::vector<double> confidence;
    for (std::int64_t i = 0; i < count(); ++i) {
      const auto row = array.row(i);
      const auto best = std::ranges::max_element(row);
      predictions.push_back(best - row.begin());
      confidence.push_back(*best);
    }
    run.probs = std::move(array);
    run.predictions = Array<std::int64_t>::fromVector(predictions);
    run.confidence = Array<double>::fromVector(confidence);
    run.meta.method = "predictions";
    return run;
  }
};

RunOverlap compared(const Run& fitted, const Run& evaluated) {
  RunContext context;
  const auto overlap = findOverlap(fitted, evaluated, context);
  EXPECT_TRUE(overlap);
  return overlap.value_or(RunOverlap());
}
std::int64_t alike(const Rows& fitted, const Rows& evaluated) {
  const RunOverlap overlap = compared(fitted.run(), evaluated.run());
  EXPECT_EQ(overlap.shared.same, 0);
  EXPECT_EQ(overlap.shared.evaluated, evaluated.count());
  return overlap.shared.alike;
}

std::vector<std::int64_t> firstOnes(std::int64_t count) {
  std::vector<std::int64_t> which(static_cast<std::size_t>(count));
  std::iota(which.begin(), which.end(), 0);
  return which;
}

TEST(RunOverlap, PredictionsOfOtherProgramsAreComparedByTheirRows) {
  const Rows rows = Rows::random(1, 500);
  const Rows others = Rows::random(2, 500);
  EXPECT_EQ(alike(rows, rows), 500);
  EXPECT_EQ(alike(rows, rows.shuffled(3)), 500);
  EXPECT_EQ(
      alike(rows, rows.chosen(firstOnes(250)).with(others.chosen(firstOnes(250))).shuffled(4)),
      250);
  EXPECT_EQ(alike(rows, others), 0);
  EXPECT_EQ(compared(rows.run(), others.run()).doubt, "");
  // Equal rows under other labels are other items.
  Rows relabelled = rows;
  for (std::int64_t& label : relabelled.labels) {
    label = (label + 1) % kClasses;
  }
  EXPECT_EQ(alike(rows, relabelled), 0);
}

TEST(RunOverlap, TheNoiseOfArithmeticHidesNoItem) {
  const Rows rows = Rows::random(1, 2000);
  Rows noisy = rows.shuffled(5);
  std::mt19937 generator(6);
  std::normal_distribution<double> noise(0.0, 3e-7);
  for (double& p : noisy.probs) {
    p *= 1.0 + noise(generator);
  }
  EXPECT_GT(alike(rows, noisy), 1900);
}

TEST(RunOverlap, RoundedRowsCoincideByChanceAndAreNoSharedItems) {
  // Two decimals of four classes: many rows of other items are equal.
  for (unsigned seed = 10; seed < 30; ++seed) {
    const Rows rows = Rows::random(seed, 1500, 0.5, 2);
    const Rows others = Rows::random(seed + 100, 1500, 0.5, 2);
    EXPECT_LE(alike(rows, others), 15) << seed << ": no more than the 1 % that is let through";
    EXPECT_EQ(alike(rows, rows.shuffled(seed)), 1500) << seed;
    const std::int64_t half =
        alike(rows, rows.chosen(firstOnes(750)).with(others.chosen(firstOnes(750))).shuffled(seed));
    EXPECT_GT(half, 15) << seed << ": more than the 1 % that is let through";
    EXPECT_LE(half, 760) << seed;
  }
}

/// Two classes, the others impossible: a row is one log-odds, which others often share by chance.
Rows ofTwoClasses(unsigned seed, std::int64_t items) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal(0.0, 3.0);
  Rows rows;
  for (std::int64_t i = 0; i < items; ++i) {
    const double p = 1.0 / (1.0 + std::exp(normal(generator)));
    rows.probs.insert(rows.probs.end(), {p, 1.0 - p, 0.0, 0.0});
    rows.labels.push_back(static_cast<std::int64_t>(generator() % 2));
  }
  return rows;
}

TEST(RunOverlap, SingleCoincidencesOfSmallRunsAreChance) {
  constexpr std::int64_t kItems = 80;
  for (unsigned seed = 0; seed < 100; ++seed) {
    const Rows rows = ofTwoClasses(seed, kItems);
    const Rows others = ofTwoClasses(seed + 1000, kItems);
    EXPECT_EQ(alike(rows, others), 0) << seed;
    EXPECT_EQ(alike(rows, rows.shuffled(seed)), kItems) << seed;
    EXPECT_GT(alike(rows, rows.chosen(firstOnes(kItems / 2))
                              .with(others.chosen(firstOnes(kItems / 2)))
                              .shuffled(seed)),
              kItems / 3)
        << seed;
  }
}

TEST(RunOverlap, ItemsOfOneSourceAreToldByTheirIdsAlone) {
  // Equal rows under other ids: two pictures that the network takes for the same, or a duplicate.
  dubito::Run fitted = Rows::random(1, 100).run();
  dubito::Run evaluated = Rows::random(1, 100).shuffled(2).run();
  fitted.meta.dataset_spec = "synthetic:blobs?n=200&seed=1&items=0:100";
  evaluated.meta.dataset_spec = "synthetic:blobs?n=200&seed=2&items=100:200";
  std::vector<std::int64_t> ids(100);
  std::iota(ids.begin(), ids.end(), 100);
  evaluated.ids = Array<std::int64_t>::fromVector(ids);
  EXPECT_EQ(compared(fitted, evaluated).shared.alike, 100) << "two sources";
  evaluated.meta.dataset_spec = "synthetic:blobs?n=200&seed=1&items=100:200";
  EXPECT_EQ(compared(fitted, evaluated).shared.alike, 0);
  EXPECT_EQ(compared(fitted, evaluated).shared.same, 0);
}

TEST(RunOverlap, SaturatedRowsAreNoEvidence) {
  const auto saturated = [](unsigned seed) {
    Rows rows = Rows::random(seed, 400, 1.0, 0);  // ones and zeros
    return rows;
  };
  const RunOverlap overlap = compared(saturated(1).run(), saturated(2).run());
  EXPECT_EQ(overlap.shared.alike, 0);
  EXPECT_THAT(overlap.doubt, HasSubstr("too many of their rows are identical"));
}

TEST(RunOverlap, WhatCannotBeComparedIsSaid) {
  const Rows rows = Rows::random(1, 100);
  dubito::Run fitted = rows.run();
  dubito::Run evaluated = Rows::random(2, 100).run();
  fitted.meta.method = "map";
  evaluated.meta.method = "laplace";
  EXPECT_THAT(compared(fitted, evaluated).doubt, HasSubstr("different methods"));
  fitted.meta.method = evaluated.meta.method = "mc-dropout";
  EXPECT_THAT(compared(fitted, evaluated).doubt, HasSubstr("depend on the ids"));
  fitted.meta.method = evaluated.meta.method = "map";
  fitted.meta.network_hash = "1";
  evaluated.meta.network_hash = "2";
  EXPECT_THAT(compared(fitted, evaluated).doubt, HasSubstr("different networks"));
  // The ids of one source tell all.
  fitted.meta.dataset_spec = "synthetic:blobs?n=200&seed=1&items=0:100";
  evaluated.meta.dataset_spec = "synthetic:blobs?n=200&seed=1&items=100:200";
  std::vector<std::int64_t> ids(100);
  std::iota(ids.begin(), ids.end(), 100);
  evaluated.ids = Array<std::int64_t>::fromVector(ids);
  EXPECT_EQ(compared(fitted, evaluated).doubt, "");
  ids.front() = 7;
  evaluated.ids = Array<std::int64_t>::fromVector(ids);
  EXPECT_EQ(compared(fitted, evaluated).shared.same, 1);
}

// The name of a member or of a model is no method.
TEST(RunOverlap, DrawsDependOnIdsOnlyByTheMethodsOfARun) {
  dubito::Run fitted = Rows::random(1, 100).run();
  dubito::Run evaluated = Rows::random(2, 100).run();
  const auto doubtOf = [&](const std::string& method, const std::string& options) {
    fitted.meta.method = evaluated.meta.method = method;
    fitted.meta.method_options = evaluated.meta.method_options = options;
    return compared(fitted, evaluated).doubt;
  };
  for (const char* options :
       {R"({"members":[{"method":"map","options":{}},{"method":"mc-dropout","options":{}}]})",
        R"({"members": [{"method": "laplace", "options": {"link": "mc"}}]})",
        R"({"of":{"method":"tuned","options":{"of":{"method":"mc-dropout","options":{}}}}})"}) {
    EXPECT_THAT(doubtOf("ensemble", options), HasSubstr("depend on the ids")) << options;
  }
  EXPECT_THAT(doubtOf("laplace", R"({"link": "mc"})"), HasSubstr("depend on the ids"));
  for (const char* options :
       {R"({"members":[{"name":"mc-dropout","method":"map","model":"mc-dropout","options":{}}]})",
        R"({"note":"\"link\":\"mc\""})", R"({"link":"probit"})", R"({"members":"mc-dropout"})",
        R"(["mc-dropout"])", "mc-dropout"}) {
    EXPECT_EQ(doubtOf("ensemble", options), "") << options;
  }
}

TEST(RunOverlap, ConfidencesAloneAreComparedToo) {
  dubito::Run fitted = Rows::random(1, 300).run();
  dubito::Run evaluated = Rows::random(1, 300).shuffled(2).run();
  fitted.probs.reset();
  evaluated.probs.reset();
  EXPECT_EQ(compared(fitted, evaluated).shared.alike, 300);
}

}  // namespace
}  // namespace dubito
