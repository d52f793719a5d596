// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/decisions/temperature_scaling.h"
#include "core/measures/measures.h"
#include "core/methods/method_data.h"
#include "core/models/network_hash.h"
#include "tests/core/network/list_dataset.h"
#include "tests/support/close_to.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using test::closeTo;
using test::ListDataset;
using test::loadFixture;
using test::madeImages;

/// Items [begin, end) of a list.
std::shared_ptr<ListDataset> part(const ListDataset& all, std::size_t begin, std::size_t end,
                                  const std::string& name) {
  ListDataset copy = all;
  std::vector<std::int64_t> ids(all.ids().begin(), all.ids().end());
  const auto cut = [&](auto values) {
    return decltype(values)(values.begin() + static_cast<std::ptrdiff_t>(begin),
                            values.begin() + static_cast<std::ptrdiff_t>(end));
  };
  auto dataset =
      std::make_shared<ListDataset>(cut(copy.samples()), cut(ids), cut(copy.itemLabels()));
  dataset->info().name = name;
  dataset->info().spec = "folder:list";
  return dataset;
}

struct Sets {
  ListDataset all = madeImages(80, 28);
  std::shared_ptr<ListDataset> calibration = part(all, 0, 50, "calibration");
  std::shared_ptr<ListDataset> test = part(all, 50, 80, "evaluated");
};

Expected<MethodOptions> prepare(const Model& model, const MethodData& data,
                                const MethodOptions& method = TemperatureOptions{}) {
  RunContext context;
  return prepareMethod(model, method, data, {.batch = 16}, context);
}

dubito::Run run(const Model& model, const Dataset& dataset, const MethodOptions& method) {
  RunContext context;
  auto result = predict(model, dataset, method, {.batch = 16}, context);
  EXPECT_OK(result);
  return result.value_or(dubito::Run());
}

double temperatureOf(const MethodOptions& method) {
  return *std::get<TemperatureOptions>(method).temperature;
}

TEST(TemperatureMethod, DividesTheLogitsByWhatWasFittedOnTheCalibrationSet) {
  const ModelPtr model = loadFixture("scripted.pt");
  const Sets sets;
  const auto ready = prepare(*model, {.calibration = sets.calibration, .evaluated = {sets.test}});
  ASSERT_OK(ready);

  const dubito::Run calibration = run(*model, *sets.calibration, MapOptions{});
  RunContext context;
  const auto table = logitsOfRun(calibration, "calibration");
  const auto fit = fitTemperature(*table, context);
  ASSERT_TRUE(fit);
  EXPECT_EQ(temperatureOf(*ready), fit->temperature);
  EXPECT_GT(std::abs(fit->temperature - 1.0), 0.05) << "this network shows nothing";

  const dubito::Run plain = run(*model, *sets.test, MapOptions{});
  const dubito::Run scaled = run(*model, *sets.test, *ready);
  ASSERT_EQ(scaled.itemCount(), 30);
  for (std::int64_t i = 0; i < 30; ++i) {
    std::vector<double> logits;
    for (const float z : std::get<Array<float>>(*plain.logits).row(i)) {
      logits.push_back(double{z} / fit->temperature);
    }
    const std::vector<double> expected = softmax(std::span<const double>(logits));
    for (std::int64_t k = 0; k < 10; ++k) {
      EXPECT_NEAR(scaled.prob(i, k), expected[static_cast<std::size_t>(k)], 1e-6);
      EXPECT_NEAR(std::get<Array<float>>(*scaled.logits).row(i)[static_cast<std::size_t>(k)],
                  logits[static_cast<std::size_t>(k)], 1e-5);
    }
    EXPECT_EQ(scaled.predictions.data()[i], plain.predictions.data()[i]);
  }
}

TEST(TemperatureMethod, TellsTheFitInTheRun) {
  const ModelPtr model = loadFixture("scripted.pt");
  const Sets sets;
  const auto ready = prepare(*model, {.calibration = sets.calibration, .evaluated = {sets.test}});
  ASSERT_OK(ready);
  const dubito::Run scaled = run(*model, *sets.test, *ready);
  EXPECT_EQ(scaled.meta.method, "temperature");
  const auto options = nlohmann::json::parse(scaled.meta.method_options);
  EXPECT_EQ(options.at("temperature").get<double>(), temperatureOf(*ready));
  const auto& fitted = options.at("fitted");
  EXPECT_EQ(fitted.at("n"), 50);
  EXPECT_EQ(fitted.at("calibration"), "calibration");
  EXPECT_EQ(fitted.at("calibration_hash").get<std::string>().size(), 16U);
  EXPECT_LT(fitted.at("nll_after").get<double>(), fitted.at("nll_before").get<double>());
  EXPECT_THAT(fitted.at("order").get<std::string>(), HasSubstr("before any posterior"));
  ASSERT_FALSE(scaled.meta.notes.empty());
  EXPECT_THAT(toText(scaled.meta.notes.front()), HasSubstr("fitted on 50 items"));
}

TEST(TemperatureMethod, TakesAMapRunAsWellAsADataset) {
  const ModelPtr model = loadFixture("scripted.pt");
  const Sets sets;
  const auto of_run =
      std::make_shared<const dubito::Run>(run(*model, *sets.calibration, MapOptions{}));
  const auto a = prepare(*model, {.calibration = sets.calibration, .evaluated = {sets.test}});
  const auto b =
      prepare(*model, {.calibration_run = {"cal.npz", of_run}, .evaluated = {sets.test}});
  ASSERT_TRUE(a && b) << b.error().message;
  EXPECT_EQ(temperatureOf(*a), temperatureOf(*b));

  EXPECT_EQ(of_run->meta.network_hash, networkHash(*model));

  auto dropout = std::make_shared<dubito::Run>(*of_run);
  dropout->meta.method = "mc-dropout";
  const auto refused = prepare(*model, {.calibration_run = {"cal.npz", dropout}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(refused.error().message,
            "cal.npz: is a run of mc-dropout, but the scaling applies to the network's own "
            "logits; give a run of the method map, or scale a finished run with dubito-cli tune");
}

TEST(TemperatureMethod, TellsARunOfAnotherNetworkWhateverItIsCalled) {
  const ModelPtr model = loadFixture("scripted.pt");
  const Sets sets;
  const dubito::Run own = run(*model, *sets.calibration, MapOptions{});
  const auto notesWith = [&](const dubito::Run& calibration) {
    const auto ready =
        prepare(*model, {.calibration_run = {"cal.npz", std::make_shared<dubito::Run>(calibration)},
                         .evaluated = {sets.test}});
    EXPECT_OK(ready);
    return ready ? fitOf(*ready)->notes : std::vector<std::string>();
  };
  const auto told = [](const std::vector<std::string>& notes, const std::string& text) {
    return std::ranges::any_of(
        notes, [&](const std::string& note) { return note.find(text) != std::string::npos; });
  };
  EXPECT_FALSE(told(notesWith(own), "computed by"));
  dubito::Run renamed = own;
  renamed.meta.model_name = "another name";
  EXPECT_FALSE(told(notesWith(renamed), "computed by"));
  dubito::Run other = own;
  other.meta.network_hash =
      run(*loadFixture("softmax.pt"), *sets.calibration, MapOptions{}).meta.network_hash;
  EXPECT_TRUE(told(notesWith(other), "cal.npz was computed by another network"));
  // Runs of earlier versions and of other programs do not say.
  other.meta.network_hash.clear();
  EXPECT_FALSE(told(notesWith(other), "computed by"));
  other.meta.model_name = "another name";
  EXPECT_TRUE(told(notesWith(other), "cal.npz was computed by another name"));
  other.meta.method = "predictions";
  EXPECT_TRUE(told(notesWith(other), "cal.npz was computed by another program"));
}

TEST(TemperatureMethod, RefusesItemsThatAreEvaluated) {
  const ModelPtr model = loadFixture("scripted.pt");
  const Sets sets;
  const auto overlapping = part(sets.all, 40, 60, "evaluated");
  MethodData data{.calibration = sets.calibration, .evaluated = {overlapping}};
  auto ready = prepare(*model, data);
  ASSERT_FALSE(ready);
  EXPECT_THAT(ready.error().message,
              HasSubstr("10 of the 20 items of evaluated are also in calibration"));
  data.allow_same_split = true;
  ready = prepare(*model, data);
  ASSERT_OK(ready);
  const dubito::Run allowed = run(*model, *overlapping, *ready);
  EXPECT_TRUE(std::ranges::any_of(textsOf(allowed.meta.notes), [](const std::string& note) {
    return note.find("(allowed)") != std::string::npos;
  }));

  const auto of_run =
      std::make_shared<const dubito::Run>(run(*model, *sets.calibration, MapOptions{}));
  const auto by_run =
      prepare(*model, {.calibration_run = {"c", of_run}, .evaluated = {overlapping}});
  ASSERT_FALSE(by_run);
  EXPECT_EQ(by_run.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(by_run.error().message, HasSubstr("10 of the 20 items of evaluated are also in c"));
}

TEST(TemperatureMethod, RescalesProbabilitiesThroughTheirLogarithms) {
  const ModelPtr model = loadFixture("softmax.pt");
  const ListDataset images = madeImages(6, 28);
  const dubito::Run plain = run(*model, images, MapOptions{});
  const dubito::Run scaled = run(*model, images, TemperatureOptions{.temperature = 2.5});
  EXPECT_FALSE(scaled.logits.has_value());
  for (std::int64_t i = 0; i < 6; ++i) {
    double sum = 0.0;
    for (std::int64_t k = 0; k < 10; ++k) {
      sum += std::pow(plain.prob(i, k), 1.0 / 2.5);
    }
    for (std::int64_t k = 0; k < 10; ++k) {
      EXPECT_NEAR(scaled.prob(i, k), std::pow(plain.prob(i, k), 1.0 / 2.5) / sum, 1e-6);
    }
  }
}

TEST(TemperatureMethod, SaysWhatIsMissing) {
  const ModelPtr model = loadFixture("scripted.pt");
  const auto nothing = prepare(*model, {});
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(nothing.error().message,
            "the temperature is fitted on a calibration set; give one, or the number itself");
  EXPECT_THAT(nothing.error().remedy.settings,
              testing::ElementsAre(setting("calibration"), setting("temperature")));
  RunContext context;
  const auto unfitted = predict(*model, madeImages(3, 28), TemperatureOptions{}, {}, context);
  ASSERT_FALSE(unfitted);
  EXPECT_EQ(unfitted.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(unfitted.error().message,
            "the temperature is missing; give a calibration set, or the number itself");
  EXPECT_THAT(unfitted.error().remedy.settings,
              testing::ElementsAre(setting("calibration"), setting("temperature")));
  const Sets sets;
  const auto both =
      prepare(*model, {.calibration = sets.calibration}, TemperatureOptions{.temperature = 2.0});
  ASSERT_FALSE(both);
  EXPECT_EQ(both.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(both.error().message,
            "the temperature is given as 2, so there is nothing to fit on a calibration set; omit "
            "one of them");
  EXPECT_THAT(both.error().remedy.settings,
              testing::ElementsAre(setting("temperature"), setting("calibration")));
  EXPECT_TRUE(prepare(*model, {}, TemperatureOptions{.temperature = 2.0}));
  const auto negative = prepare(*model, {}, TemperatureOptions{.temperature = -2.0});
  ASSERT_FALSE(negative);
  EXPECT_EQ(negative.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(negative.error().message, "Temperature is -2; it must lie in [0.001, 1000]");
  EXPECT_THAT(negative.error().remedy.settings, testing::ElementsAre(setting("temperature")));
}

TEST(TemperatureMethod, MethodsThatNeedNothingComeBackAsTheyAre) {
  const ModelPtr model = loadFixture("scripted.pt");
  const auto ready = prepare(*model, {}, McDropoutOptions{.draws = 7});
  ASSERT_TRUE(ready);
  EXPECT_EQ(std::get<McDropoutOptions>(*ready).draws, 7);
  for (const MethodDescription& method : allMethods()) {
    EXPECT_EQ(methodName(method.defaults), method.name);
    EXPECT_EQ(describe(method.defaults).name, method.name);
  }
}

}  // namespace
}  // namespace dubito
