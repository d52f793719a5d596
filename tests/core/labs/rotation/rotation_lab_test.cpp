// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/rotation/rotation_lab.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/predict/predict.h"
#include "tests/core/network/list_dataset.h"
#include "tests/support/close_to.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using test::closeTo;

/// The model and the images of the sample of this program.
struct RotationSample {
  ModelPtr model;
  DatasetPtr dataset;

  RotationSample() {
    RunContext context;
    const std::string folder = (test::sourceDir() / "datasets/samples").string();
    auto loaded = loadModel(folder + "/lenet-mnist.pt", {}, context);
    auto opened = openDataset("idx:" + folder + "/mnist-2000-images-idx3-ubyte.gz," + folder +
                                  "/mnist-2000-labels-idx1-ubyte.gz",
                              context);
    EXPECT_OK(loaded);
    EXPECT_OK(opened);
    model = *loaded;
    dataset = *opened;
  }
  [[nodiscard]] Expected<RotationResult> follow(std::int64_t index, const RotationOptions& options,
                                                std::uint64_t seed = 0, int threads = 1) const {
    RunContext context;
    context.seed = seed;
    context.threads = threads;
    return followItem(*model, *dataset, index, options, context);
  }
};

RotationOptions few() {
  RotationOptions options;
  options.steps = 5;
  options.draws = 8;
  return options;
}

float at(const Array<float>& values, std::int64_t t, std::int64_t step, std::int64_t k) {
  return values.data()[(t * values.extent(1) + step) * values.extent(2) + k];
}

TEST(RotationLab, OutputsAreTheSoftmaxOfTheInputs) {
  const RotationSample sample;
  const auto result = sample.follow(2, few());
  ASSERT_OK(result);
  EXPECT_EQ(result->method, "mc-dropout");
  EXPECT_TRUE(result->has_logits);
  EXPECT_EQ(result->inputs.shape(), (std::vector<std::int64_t>{8, 5, 10}));
  EXPECT_EQ(result->path.positions, (std::vector<double>{0.0, 45.0, 90.0, 135.0, 180.0}));
  EXPECT_EQ(result->path.images.size(), 5U);
  for (std::int64_t step = 0; step < 5; ++step) {
    std::vector<double> mean(10, 0.0);
    double expected_entropy = 0.0;
    for (std::int64_t t = 0; t < 8; ++t) {
      double sum = 0.0;
      for (std::int64_t k = 0; k < 10; ++k) {
        sum += std::exp(static_cast<double>(at(result->inputs, t, step, k)));
      }
      for (std::int64_t k = 0; k < 10; ++k) {
        const double p = std::exp(static_cast<double>(at(result->inputs, t, step, k))) / sum;
        EXPECT_NEAR(at(result->outputs, t, step, k), p, 1e-6);
        mean[static_cast<std::size_t>(k)] += p / 8.0;
        expected_entropy -= p > 0.0 ? p * std::log(p) / 8.0 : 0.0;
      }
    }
    double entropy = 0.0;
    for (const double p : mean) {
      entropy -= p > 0.0 ? p * std::log(p) : 0.0;
    }
    EXPECT_TRUE(closeTo(result->summary.entropy.data()[step], entropy, 1e-9, 1e-12));
    EXPECT_TRUE(
        closeTo(result->summary.expected_entropy.data()[step], expected_entropy, 1e-9, 1e-12));
  }
}

TEST(RotationLab, DrawsAreThoseOfARunOfTheChangedImages) {
  const RotationSample sample;
  const RotationOptions options = few();
  const auto result = sample.follow(2, options, 7);
  ASSERT_OK(result);
  // At every step, the draws equal those of the same item in a run on the corrupted dataset.
  const std::string folder = (test::sourceDir() / "datasets/samples").string();
  for (const std::int64_t step : {0, 1, 4}) {
    RunContext context;
    const auto turned = openDataset(
        "idx:" + folder + "/mnist-2000-images-idx3-ubyte.gz?items=0:4&corrupt=rotation:" +
            std::to_string(3 * step),
        context);
    ASSERT_OK(turned);
    context.seed = 7;
    const auto run =
        predict(*sample.model, **turned, McDropoutOptions{.draws = options.draws}, {}, context);
    ASSERT_OK(run);
    for (std::int64_t t = 0; t < options.draws; ++t) {
      for (std::int64_t k = 0; k < 10; ++k) {
        EXPECT_NEAR(at(result->outputs, t, step, k),
                    run->samples->row(t)[static_cast<std::size_t>(2 * 10 + k)], 1e-6)
            << "step " << step << ", draw " << t;
      }
    }
  }
}

TEST(RotationLab, TheSeedDecidesAndThreadsDoNot) {
  const RotationSample sample;
  const auto one = sample.follow(2, few(), 1, 1);
  const auto two = sample.follow(2, few(), 1, 2);
  const auto other = sample.follow(2, few(), 2, 1);
  ASSERT_TRUE(one && two && other);
  EXPECT_LT(test::largestDifference(one->inputs.values(), two->inputs.values()), 1e-5);
  EXPECT_GT(test::largestDifference(one->inputs.values(), other->inputs.values()), 0.1);
}

TEST(RotationLab, WithoutDropoutThereIsOneLine) {
  const RotationSample sample;
  RotationOptions options = few();
  options.method = "map";
  const auto result = sample.follow(2, options);
  ASSERT_OK(result);
  EXPECT_EQ(result->draws(), 1);
  EXPECT_FALSE(result->hasDraws());
  RunContext context;
  const auto run = predict(*sample.model, *sample.dataset, MapOptions{}, {}, context);
  ASSERT_OK(run);
  for (std::int64_t k = 0; k < 10; ++k) {
    EXPECT_NEAR(at(result->outputs, 0, 0, k), run->prob(2, k), 1e-6);
    EXPECT_NEAR(at(result->inputs, 0, 0, k),
                std::get<Array<float>>(*run->logits).row(2)[static_cast<std::size_t>(k)], 1e-4);
  }
  for (std::int64_t step = 0; step < 5; ++step) {
    EXPECT_EQ(result->summary.mutual_information.data()[step], 0.0);
  }
}

TEST(RotationLab, AWalkEndsAtTheOtherImage) {
  const RotationSample sample;
  RotationOptions options = few();
  options.to = 0;
  options.method = "map";
  const auto walk = sample.follow(2, options);
  ASSERT_OK(walk);
  EXPECT_EQ(walk->path.positions, (std::vector<double>{0.0, 0.25, 0.5, 0.75, 1.0}));
  options.to = 2;
  const auto back = sample.follow(0, options);
  ASSERT_OK(back);
  for (std::int64_t step = 0; step < 5; ++step) {
    for (std::int64_t k = 0; k < 10; ++k) {
      EXPECT_NEAR(at(walk->inputs, 0, step, k), at(back->inputs, 0, 4 - step, k), 1e-3);
    }
  }
  // Linear in the pixels.
  const std::int64_t size = walk->path.inputs.size() / 5;
  const float* const pixels = walk->path.inputs.data();
  for (std::int64_t i = 0; i < size; ++i) {
    EXPECT_NEAR(pixels[2 * size + i], 0.5F * (pixels[i] + pixels[4 * size + i]), 1e-5);
  }
}

TEST(RotationLab, EveryCorruptionHasAPath) {
  const RotationSample sample;
  for (const CorruptionKind kind : allCorruptions()) {
    RotationOptions options = few();
    options.corruption = toString(kind);
    const auto result = sample.follow(2, options);
    ASSERT_OK(result);
    EXPECT_EQ(result->path.positions.back(), kind == CorruptionKind::kRotation ? 180.0 : 5.0);
    // The first step is the unchanged image.
    const auto plain = preprocess(*sample.dataset->read(2), sample.model->metadata().preprocessing);
    ASSERT_OK(plain);
    EXPECT_TRUE(
        std::equal(plain->values().begin(), plain->values().end(), result->path.inputs.data()));
  }
}

TEST(RotationLab, TheLikeliestClassesAreShown) {
  const RotationSample sample;
  RotationOptions options = few();
  const auto result = sample.follow(2, options);
  ASSERT_OK(result);
  ASSERT_EQ(result->classes.size(), 3U);
  EXPECT_EQ(result->classes[0], 1);  // item 2 is a "1", and is recognised before it is turned
  options.classes = {7, 2};
  EXPECT_EQ(sample.follow(2, options)->classes, (std::vector<std::int64_t>{7, 2}));
}

TEST(RotationLab, ClassesThatAreLikeliestSomewhereAreShownToo) {
  const RotationSample sample;
  RotationOptions options = few();
  options.steps = 9;
  options.likeliest = 1;
  const auto result = sample.follow(2, options);
  ASSERT_OK(result);
  std::set<std::int64_t> winners;
  for (std::int64_t step = 0; step < 9; ++step) {
    const auto probs = result->summary.mean_probs.row(step);
    winners.insert(std::ranges::max_element(probs) - probs.begin());
  }
  ASSERT_GT(winners.size(), 1U);
  EXPECT_EQ(std::set(result->classes.begin(), result->classes.end()), winners);
}

TEST(RotationLab, ModelsThatReturnProbabilitiesShowTheirLogarithms) {
  const ModelPtr model = test::loadFixture("softmax.pt");
  ASSERT_NE(model, nullptr);
  const test::ListDataset dataset = test::madeImages(3, model->audit().input_shape[1]);
  RunContext context;
  const auto result = followItem(*model, dataset, 1, few(), context);
  ASSERT_OK(result);
  EXPECT_FALSE(result->has_logits);
  for (std::int64_t i = 0; i < result->inputs.size(); ++i) {
    EXPECT_NEAR(std::exp(result->inputs.data()[i]), result->outputs.data()[i], 1e-6);
  }
}

TEST(RotationLab, WhatCannotBeFollowedIsASentence) {
  const RotationSample sample;
  const auto message = [&](std::int64_t index, const RotationOptions& options) {
    const auto result = sample.follow(index, options);
    return result ? std::string() : result.error().message;
  };
  EXPECT_NE(message(2000, few()).find("has no item 2000; give a number from 0 to 1999"),
            std::string::npos);
  EXPECT_FALSE(message(-1, few()).empty());
  RotationOptions options = few();
  options.to = 5000;
  EXPECT_NE(message(2, options).find("has no item 5000"), std::string::npos);
  options = few();
  options.classes = {10};
  EXPECT_NE(message(2, options).find("no class 10"), std::string::npos);
  options = few();
  options.corruption = "noise";
  options.end = 90.0;
  EXPECT_NE(message(2, options).find("use at most 24"), std::string::npos);
  options.end = 0.0;
  const Status no_length = options.check();
  ASSERT_FALSE(no_length);
  EXPECT_EQ(no_length.error().message,
            "the path ends at 0 and has no length; use a number above 0");
  EXPECT_EQ(no_length.error().remedy.settings, std::vector{setting("end")});
  options = few();
  options.drop_rate = 0.0;
  EXPECT_EQ(message(2, options), "");  // without dropout, the model is deterministic
  options.method = "mc-dropout";
  EXPECT_FALSE(message(2, options).empty());
  RunContext context;
  context.control()->requestCancel();
  const auto cancelled = followItem(*sample.model, *sample.dataset, 2, few(), context);
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().code, ErrorCode::kCancelled);
  // Points in the plane can only be made noisy.
  const ModelPtr vectors = test::loadFixture("vector.pt");
  ASSERT_NE(vectors, nullptr);
  const std::int64_t length = vectors->audit().input_shape[0];
  test::ListDataset points({Sample(Array<float>::zeros({length}))}, {0}, {0});
  context = RunContext();
  const auto turned = followItem(*vectors, points, 0, few(), context);
  ASSERT_FALSE(turned);
  EXPECT_NE(turned.error().message.find("use noise"), std::string::npos);
}

}  // namespace
}  // namespace dubito
