// SPDX-License-Identifier: GPL-3.0-or-later
// What a Laplace run says of itself: the link and the gauge that were chosen, and that neither the
// process that computes an item nor the batch it comes in changes a bit of it.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/data/images/input_bytes.h"
#include "core/io/run_file.h"
#include "core/kernels/honesty.h"
#include "core/methods/laplace/posterior_network_torch.h"
#include "core/network/network_batch_torch.h"
#include "core/predict/predict_to_file.h"
#include "tests/core/methods/laplace/laplace_method.h"
#include "tests/core/predict/eventful_dataset.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using nlohmann::json;
using test::kSide;
using test::spreadNumbers;

class LaplaceParts : public test::LaplaceMethod {
 protected:
  [[nodiscard]] ModelPtr flatOf(std::int64_t classes) const {
    return test::madeNetwork(folder_, "flat" + std::to_string(classes), R"(
def forward(self, x: Tensor) -> Tensor:
    return torch.linear(torch.flatten(x, 1), self.w, self.b)
)",
                             {{"w", 0.2 * spreadNumbers({classes, kSide * kSide}, 0.5)},
                              {"b", spreadNumbers({classes}, 1.0)}},
                             kSide);
  }
  /// Labels below `classes`.
  void useLabelsBelow(std::int64_t classes) const {
    for (const auto& dataset : {train_, test_, calibration_}) {
      for (std::int64_t& label : dataset->itemLabels()) {
        label %= classes;
      }
    }
  }
  static std::string optionOf(const dubito::Run& run, const char* name) {
    const json option = json::parse(run.meta.method_options).at(name);
    return option.is_string() ? option.get<std::string>() : option.dump();
  }
  static bool says(const dubito::Run& run, const std::string& words) {
    return std::ranges::any_of(textsOf(run.meta.notes), [&](const std::string& note) {
      return note.find(words) != std::string::npos;
    });
  }
};

template <class T>
bool sameBits(const std::optional<Array<T>>& a, const std::optional<Array<T>>& b) {
  return a && b && a->shape() == b->shape() && std::ranges::equal(a->values(), b->values());
}

/// A process that goes on in the midst of a dataset puts the same items together.
TEST_F(LaplaceParts, ALinearisedRunThatIsResumedIsTheSameBits) {
  const ModelPtr model = convolutional();
  LaplaceOptions method = with("kron", "probit");
  method.layers = "all";
  const auto ready = fitted(model, method);
  ASSERT_OK(ready);
  const PredictOptions options{.batch = 7};
  const auto whole = predict(*model, *test_, *ready, options, context_);
  ASSERT_OK(whole);
  test::EventfulDataset items(*test_);
  // Not items that are looked at before the run, to compare their range with the normalisation.
  for (const std::int64_t at : {8, 16}) {
    const std::string path = folder_.file("resumed" + std::to_string(at) + ".npz");
    RunContext cancelled;
    items.event_at = at;
    items.event = [&cancelled] { cancelled.control()->requestCancel(); };
    ASSERT_FALSE(predictToFile(*model, items, *ready, options, path, {.part_bytes = 1}, cancelled));
    items.event_at = -1;
    const auto resumed = predictToFile(*model, items, *ready, options, path,
                                       {.resume = true, .part_bytes = 1}, context_);
    ASSERT_OK(resumed);
    EXPECT_GT(resumed->resumed_items, 0);
    EXPECT_LT(resumed->resumed_items, 30);
    const auto run = readRun(path, context_);
    ASSERT_TRUE(run);
    EXPECT_TRUE(sameBits(run->logit_mean, whole->logit_mean)) << at;
    EXPECT_TRUE(sameBits(run->logit_var, whole->logit_var)) << at;
    EXPECT_TRUE(std::ranges::equal(probsOf(*run).values(), probsOf(*whole).values())) << at;
    EXPECT_EQ(run->meta.notes, whole->meta.notes);
  }
}

/// Runs that begin with a full batch, with its rest or with one item split later batches alike.
TEST_F(LaplaceParts, ItemsPerPassDoNotDependOnTheFirstBatch) {
  const ModelPtr model = convolutional();
  LaplaceOptions method = with("kron", "probit");
  method.layers = "all";
  const auto ready = fitted(model, method);
  ASSERT_OK(ready);
  const auto placed = placeNetwork(*model, {});
  ASSERT_OK(placed);
  const auto itemsPerPass = [&](const std::vector<std::int64_t>& first_batch) -> std::int64_t {
    const auto network =
        makePosteriorNetwork(*model, *placed, ready->fitted->posterior, {}).value();
    const Batch batch =
        loadBatch(*test_, first_batch, model->metadata().preprocessing, context_).value();
    EXPECT_OK(network->measureSizes(networkInput(batch, *model), batch.indices, *test_));
    return network->itemsPerPass();
  };
  const std::int64_t of_one_item = itemsPerPass({0});
  EXPECT_GT(of_one_item, 1);
  EXPECT_EQ(itemsPerPass({0, 1, 2, 3, 4, 5, 6}), of_one_item);
  EXPECT_EQ(itemsPerPass({7, 8}), of_one_item);
}

TEST_F(LaplaceParts, TwoClassesGetALinkThatUsesTheVariance) {
  useLabelsBelow(2);
  const ModelPtr model = flatOf(2);
  LaplaceOptions method;
  method.tau = 0.5;
  const auto map = predict(*model, *test_, MapOptions{}, {}, context_);
  const auto usual = predicted(model, method);
  ASSERT_TRUE(map && usual);
  EXPECT_EQ(optionOf(*usual, "link"), "mc");
  EXPECT_GT(test::largestDifference(probsOf(*usual).values(), probsOf(*map).values()), 0.01);
  EXPECT_FALSE(says(*usual, "does not use the variance"));
  for (const char* link : {"bridge-centred", "bridge"}) {
    method.link = link;
    const auto bridged = predicted(model, method);
    ASSERT_TRUE(bridged);
    EXPECT_EQ(optionOf(*bridged, "link"), link);
    EXPECT_LT(test::largestDifference(probsOf(*bridged).values(), probsOf(*map).values()), 1e-5);
    EXPECT_TRUE(says(*bridged, "does not use the variance")) << link;
    EXPECT_TRUE(says(*bridged, "for two classes")) << link;
  }
  method.link = "probit";
  EXPECT_FALSE(says(predicted(model, method).value(), "does not use the variance"));
}

TEST_F(LaplaceParts, WhatPartsSayOfTheVarianceAddsUp) {
  useLabelsBelow(2);
  const ModelPtr model = flatOf(2);
  const auto ready = fitted(model, with("kron", "bridge-centred"));
  ASSERT_TRUE(ready);
  const std::string path = folder_.file("parts.npz");
  ASSERT_TRUE(
      predictToFile(*model, *test_, *ready, {.batch = 4}, path, {.part_bytes = 1}, context_));
  EXPECT_TRUE(says(readRun(path, context_).value(), "does not use the variance"));
}

TEST_F(LaplaceParts, MoreClassesGetTheBridge) {
  LaplaceOptions method;
  method.tau = 0.5;
  const auto run = predicted(flatOf(4), method);
  ASSERT_TRUE(run);
  EXPECT_EQ(optionOf(*run, "link"), "bridge-centred");
  EXPECT_EQ(optionOf(*run, "gauge"), "null");
  EXPECT_TRUE(run->alpha);
  EXPECT_FALSE(says(*run, "does not use the variance"));
  EXPECT_FALSE(says(*run, "honesty gauge"));
}

/// A gauge that chooses its items itself takes the same ones whatever the batches.
TEST_F(LaplaceParts, TheGaugeOfManyItemsHoldsSomeOfThem) {
  constexpr std::int64_t kMany = 2600;
  const ModelPtr model = flatOf(4);
  *test_ = test::madeImages(kMany, kSide);
  test_->info().name = "many";
  LaplaceOptions method = with("diag", "probit");
  data_.allow_same_split = true;
  context_.seed = 3;
  const auto ready = fitted(model, method);
  ASSERT_OK(ready);
  const auto some = predict(*model, *test_, *ready, {.batch = 500}, context_);
  ASSERT_OK(some);
  EXPECT_TRUE(says(*some, "about 2000 of 2600 items"));
  LaplaceOptions asked = *ready;
  asked.gauge = 1000;
  const auto all = predict(*model, *test_, asked, {.batch = 500}, context_);
  ASSERT_TRUE(all);
  EXPECT_FALSE(says(*all, "honesty gauge"));
  std::int64_t gauged = 0;
  for (std::int64_t i = 0; i < kMany; ++i) {
    const double bridge = some->gauge_bridge->data()[i];
    EXPECT_EQ(std::isnan(bridge), std::isnan(some->gauge_probit->data()[i]));
    EXPECT_EQ(std::isnan(bridge), !isGauged(3, some->ids.data()[i], 2000.0 / kMany));
    if (!std::isnan(bridge)) {
      ++gauged;
      EXPECT_EQ(bridge, all->gauge_bridge->data()[i]);
      EXPECT_EQ(some->gauge_probit->data()[i], all->gauge_probit->data()[i]);
    }
  }
  EXPECT_NEAR(static_cast<double>(gauged), 2000.0, 110.0);
  const std::string path = folder_.file("some.npz");
  ASSERT_TRUE(predictToFile(*model, *test_, *ready, {.batch = 130}, path, {.part_bytes = 1 << 14},
                            context_));
  const auto parts = readRun(path, context_);
  ASSERT_OK(parts);
  for (std::int64_t i = 0; i < kMany; ++i) {
    const double other = parts->gauge_bridge->data()[i];
    EXPECT_EQ(std::isnan(other), std::isnan(some->gauge_bridge->data()[i]));
    if (!std::isnan(other)) {
      EXPECT_NEAR(other, some->gauge_bridge->data()[i], 1e-5);
    }
  }
}

/// Runs of drawn weights name the link that was the default when they were made.
TEST_F(LaplaceParts, ALinkWithoutUseIsNoHindrance) {
  LaplaceOptions method = with("diag", LaplaceOptions().link);
  method.layers = "all";
  method.predictive = "sampled";
  method.weight_draws = 2;
  const auto run = predicted(flatOf(4), method);
  ASSERT_OK(run);
  EXPECT_EQ(optionOf(*run, "link"), "auto");
}

}  // namespace
}  // namespace dubito
