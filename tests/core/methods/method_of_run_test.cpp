// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/methods/method_of_run.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/base/json_text.h"
#include "tests/core/methods/laplace/laplace_method.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using nlohmann::json;
using test::LaplaceMethod;

class MethodOfRun : public LaplaceMethod {
 protected:
  MethodOfRun() {
    data_.calibration = calibration_;
    // These images repeat each other: only the way is tested here.
    data_.allow_same_split = true;
    data_.posterior_path = folder_.file("posterior.npz");
  }

  dubito::Run runOf(const MethodOptions& method, const MethodData& data = {}) {
    const auto ready = prepareMethod(*model_, method, data, {}, context_);
    EXPECT_OK(ready);
    auto run = predict(*model_, *test_, ready.value_or(MethodOptions{}), {}, context_);
    EXPECT_OK(run);
    return run.value_or(dubito::Run{});
  }

  void expectSameAgain(const dubito::Run& run) {
    const auto method = methodOfRun(run.meta, *model_, data_.posterior_path);
    ASSERT_TRUE(method.has_value());
    const auto again = predict(*model_, *test_, *method, {}, context_);
    ASSERT_OK(again);
    EXPECT_EQ(again->meta.method, run.meta.method);
    EXPECT_EQ(again->meta.method_options, run.meta.method_options);
    ASSERT_EQ(again->itemCount(), run.itemCount());
    for (std::int64_t i = 0; i < run.itemCount(); ++i) {
      for (std::int64_t k = 0; k < run.classCount(); ++k) {
        ASSERT_EQ(again->prob(i, k), run.prob(i, k)) << methodName(*method) << " item " << i;
      }
    }
  }

  ModelPtr model_ = flat();
};

TEST_F(MethodOfRun, PredictsWhatTheRunHoldsWithoutAFit) {
  expectSameAgain(runOf(MapOptions{}));
  expectSameAgain(runOf(McDropoutOptions{.draws = 3, .insert = "always"}));
  expectSameAgain(runOf(TemperatureOptions{}, data_));
  expectSameAgain(runOf(TemperatureOptions{.temperature = 1.7}));
  expectSameAgain(runOf(VectorScalingOptions{}, data_));
  LaplaceOptions laplace = with("kron", "bridge-centred");
  laplace.tau.reset();
  laplace.prior = "auto-nll";
  expectSameAgain(runOf(laplace, data_));
  laplace.n = 0.0;
  expectSameAgain(runOf(laplace, data_));
}

TEST_F(MethodOfRun, ALaplaceRunTakesThePosteriorItCameFrom) {
  const dubito::Run run = runOf(with("kron", "probit"), data_);
  EXPECT_FALSE(methodOfRun(run.meta, *model_));
  EXPECT_FALSE(methodOfRun(run.meta, *model_, folder_.file("missing.npz")));
  const auto of_a_run = [&](const char* key, const json& value) {
    json options = json::parse(run.meta.method_options);
    (key == std::string("fit_hash") ? options["fitted"] : options)[key] = value;
    RunMeta meta = run.meta;
    meta.method_options = jsonText(options, -1);
    return methodOfRun(meta, *model_, data_.posterior_path).has_value();
  };
  EXPECT_TRUE(of_a_run("link", "mc"));
  EXPECT_FALSE(of_a_run("fit_hash", "other items"));
  EXPECT_FALSE(of_a_run("structure", "diag"));
  EXPECT_FALSE(of_a_run("separate_bias", true));
}

/// Earlier versions named a link, the default of their time, for drawn weights as well.
TEST_F(MethodOfRun, DrawnWeightsHaveNoLink) {
  LaplaceOptions laplace = with("diag", LaplaceOptions().link);
  laplace.layers = "all";
  laplace.predictive = "sampled";
  laplace.weight_draws = 2;
  RunMeta meta = runOf(laplace, data_).meta;
  json options = json::parse(meta.method_options);
  options["link"] = "bridge-centred";
  options["gauge"] = 1000;
  meta.method_options = jsonText(options, -1);
  const auto method = methodOfRun(meta, *model_, data_.posterior_path);
  ASSERT_TRUE(method);
  EXPECT_TRUE(std::get<LaplaceOptions>(*method).drawsWeights());
}

TEST_F(MethodOfRun, ARunOfAnotherNetworkOrInputGivesNone) {
  RunMeta meta = runOf(MapOptions{}).meta;
  EXPECT_TRUE(methodOfRun(meta, *model_));
  EXPECT_FALSE(methodOfRun(meta, *flat(1.0)));
  meta.preprocessing += ", turned";
  EXPECT_FALSE(methodOfRun(meta, *model_));
}

TEST_F(MethodOfRun, MetadataThatDoNotFitGiveNone) {
  RunMeta meta = runOf(MapOptions{}).meta;
  const auto none = [&](const char* method, const char* options) {
    meta.method = method;
    meta.method_options = options;
    EXPECT_FALSE(methodOfRun(meta, *model_, data_.posterior_path)) << method << " " << options;
  };
  none("predictions", "{}");
  none("ensemble", "{}");
  none("map", "no JSON");
  none("map", "[]");
  none("map", R"({"fitted": {}})");
  none("map", R"({"unknown": 1})");
  none("mc-dropout", R"({"draws": -1})");
  none("temperature", R"({"temperature": null})");
  none("temperature", R"({"temperature": -1.0, "fitted": {}})");
  none("vector-scaling", "{}");
  none("vector-scaling", R"({"fitted": 1})");
  none("vector-scaling", R"({"fitted": {"weight": [1, "x"], "bias": [0, 0]}})");
  none("vector-scaling", R"({"fitted": {"weight": [1, 2]}})");
  none("laplace", R"({"fitted": {"n": 10, "tau": 1}})");
  none("laplace", R"({"fitted": {"n": "many", "tau": 1}})");
  none("laplace", R"({"fitted": {"n": 10, "tau": 0}})");
}

}  // namespace
}  // namespace dubito
