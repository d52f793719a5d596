// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/io/run_file.h"
#include "core/laplace/link.h"
#include "core/metrics/proper_scores.h"
#include "core/predict/predict_to_file.h"
#include "tests/core/methods/laplace/laplace_method.h"
#include "tests/support/close_to.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using nlohmann::json;
using test::closeTo;
using test::ListDataset;
using test::madeImages;

using test::kClasses;
using test::kSide;
using test::LaplaceMethod;

/// Pixels with the constant 1, and their products by loops: no basis, no batches.
TEST_F(LaplaceMethod, KronProbitIsWhatPlainLoopsGive) {
  const ModelPtr model = flat();
  constexpr double kTau = 0.5;
  const auto run = predicted(model, with("kron", "probit", kTau), 7);
  ASSERT_OK(run);
  const auto inputsOf = [&](const Dataset& dataset) {
    at::Tensor rows = at::ones({dataset.size(), kSide * kSide + 1}, at::kDouble);
    for (std::int64_t i = 0; i < dataset.size(); ++i) {
      const auto input = preprocess(*dataset.read(i), model->metadata().preprocessing).value();
      for (std::int64_t q = 0; q < input.size(); ++q) {
        rows[i][q] = double{input.data()[q]};
      }
    }
    return rows;
  };
  const at::Tensor weight =
      at::cat({test::spreadNumbers({kClasses, kSide * kSide}, 0.0).to(at::kFloat),
               test::spreadNumbers({kClasses}, 1.0).to(at::kFloat).unsqueeze(1)},
              1)
          .to(at::kDouble);
  const at::Tensor inputs = inputsOf(*train_);
  const auto items = static_cast<double>(inputs.size(0));
  const at::Tensor p = at::softmax(at::mm(inputs, weight.t()), 1);
  const at::Tensor a = at::mm(inputs.t(), inputs) / items;
  const at::Tensor g = (at::diag(p.sum(0)) - at::mm(p.t(), p)) / items;
  const std::int64_t parameters = kClasses * (kSide * kSide + 1);
  const at::Tensor covariance =
      at::linalg_inv(at::kron(g, a) * items + at::eye(parameters, at::kDouble) * kTau);
  const at::Tensor tested = inputsOf(*test_);
  for (std::int64_t i = 0; i < test_->size(); ++i) {
    const at::Tensor jacobian = at::kron(at::eye(kClasses, at::kDouble), tested[i].unsqueeze(0));
    const at::Tensor variance =
        at::matmul(at::matmul(jacobian, covariance), jacobian.t()).diagonal();
    const at::Tensor mean = at::mv(weight, tested[i]);
    const at::Tensor probs = at::softmax(mean / at::sqrt(variance * (M_PI / 8.0) + 1.0), 0);
    for (std::int64_t k = 0; k < kClasses; ++k) {
      const auto at_k = static_cast<std::size_t>(k);
      EXPECT_TRUE(closeTo(run->logit_mean->row(i)[at_k], mean[k].item().toDouble(), 1e-4, 1e-5));
      EXPECT_TRUE(closeTo(run->logit_var->row(i)[at_k], variance[k].item().toDouble(), 1e-5));
      EXPECT_NEAR(probsOf(*run).row(i)[at_k], probs[k].item().toDouble(), 1e-5);
    }
  }
  EXPECT_FALSE(run->alpha);
  EXPECT_FALSE(run->mutual_information);
  EXPECT_FALSE(run->logits) << "metrics from logits would be those of the network without Laplace";
}

TEST_F(LaplaceMethod, EveryStructureAndLinkGivesACompleteRun) {
  const ModelPtr model = flat();
  for (const char* structure : {"full", "kron", "kron-damped", "diag"}) {
    for (const std::string& link : linkNames()) {
      SCOPED_TRACE(std::string(structure) + " " + link);
      LaplaceOptions method = with(structure, link);
      method.samples = 20;
      const auto run = predicted(model, method);
      ASSERT_OK(run);
      EXPECT_EQ(run->itemCount(), 30);
      EXPECT_EQ(run->mutual_information.has_value(), link != "probit");
      EXPECT_EQ(run->alpha.has_value(), link.starts_with("bridge"));
      EXPECT_EQ(run->logit_var->shape(), (std::vector<std::int64_t>{30, kClasses}));
      const std::string path = folder_.file("run.npz");
      ASSERT_TRUE(writeRun(*run, path, context_));
      const auto read = readRun(path, context_);
      ASSERT_OK(read);
      EXPECT_EQ(read->meta.method, "laplace");
      const json fit = json::parse(read->meta.method_options).at("fitted");
      EXPECT_EQ(fit.at("items"), 90);
      EXPECT_EQ(fit.at("tau"), 0.5);
      EXPECT_EQ(fit.at("fit_dataset"), "train");
    }
  }
}

/// Against runs of the same posterior by the links that are compared.
TEST_F(LaplaceMethod, TheGaugeTellsHowFarTheClosedFormsLieFromDraws) {
  const ModelPtr model = flat();
  context_.seed = 11;
  const auto by = [&](const char* link, std::int64_t gauge) {
    LaplaceOptions method = with("kron", link);
    method.samples = 200;
    method.gauge = gauge;
    return predicted(model, method).value();
  };
  const dubito::Run drawn = by("mc", 0);
  const dubito::Run probit = by("probit", 200);
  const dubito::Run bridge = by("bridge-raw", 200);
  EXPECT_FALSE(drawn.gauge_bridge);
  const dubito::Run centred = by("bridge-centred", 0);
  ASSERT_TRUE(probit.gauge_bridge && bridge.gauge_bridge);
  EXPECT_FALSE(bridge.gauge_divergence) << "these are four classes";
  const auto apart = [&](const dubito::Run& run, std::int64_t i) {
    return test::largestDifference(probsOf(run).row(i), probsOf(drawn).row(i));
  };
  for (std::int64_t i = 0; i < drawn.itemCount(); ++i) {
    EXPECT_NEAR(bridge.gauge_bridge->data()[i], apart(bridge, i), 1e-6);
    EXPECT_NEAR(bridge.gauge_probit->data()[i], apart(probit, i), 1e-6);
    // If no bridge predicts, it is the exact one.
    EXPECT_NEAR(probit.gauge_bridge->data()[i], apart(centred, i), 1e-6);
  }
  EXPECT_GT(*std::ranges::max_element(bridge.gauge_bridge->values()), 0.01) << "nothing was shown";
  // As many draws for the link as for the gauge are the same ones.
  const dubito::Run both = by("mc", 200);
  EXPECT_TRUE(std::ranges::equal(probsOf(both).values(), probsOf(drawn).values()));
  EXPECT_TRUE(std::ranges::equal(both.gauge_probit->values(), probit.gauge_probit->values()));
  EXPECT_TRUE(std::ranges::equal(both.gauge_bridge->values(), probit.gauge_bridge->values()));
}

TEST_F(LaplaceMethod, BatchesWithoutItemsAreRefused) {
  const auto refused = fitted(flat(), with("kron", "probit"), 0);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(refused.error().message, HasSubstr("Batch is 0"));
}

/// A temperature belongs before the posterior: it is not fitted to what came out of one.
TEST_F(LaplaceMethod, ATemperatureIsNotFittedToItsRuns) {
  const ModelPtr model = flat();
  const auto run = predicted(model, with("kron", "probit"));
  ASSERT_TRUE(run);
  const MethodData data{.calibration_run = {"l.npz", std::make_shared<const dubito::Run>(*run)}};
  const auto refused = prepareMethod(*model, TemperatureOptions{}, data, {}, context_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "l.npz: is a run of laplace, but the scaling applies to the network's own logits; "
            "give a run of the method map, or scale a finished run with dubito-cli tune");
}

/// Three classes have a divergence of the densities next to the differences; through a run in
/// parts.
TEST_F(LaplaceMethod, TheGaugeOfThreeClassesIsStoredItemByItem) {
  constexpr std::int64_t kThree = 3;
  const ModelPtr model =
      test::madeNetwork(folder_, "three", R"(
def forward(self, x: Tensor) -> Tensor:
    return torch.linear(torch.flatten(x, 1), self.w, self.b)
)",
                        {{"w", test::spreadNumbers({kThree, kSide * kSide}, 0.5)},
                         {"b", test::spreadNumbers({kThree}, 1.0)}},
                        kSide);
  for (const auto& dataset : {train_, test_}) {
    for (std::int64_t& label : dataset->itemLabels()) {
      label %= kThree;
    }
  }
  LaplaceOptions method = with("diag", "bridge-centred");
  method.gauge = 50;
  const auto ready = fitted(model, method);
  ASSERT_OK(ready);
  const auto whole = predict(*model, *test_, *ready, {.batch = 4}, context_);
  ASSERT_OK(whole);
  ASSERT_TRUE(whole->gauge_divergence);
  EXPECT_EQ(whole->gauge_divergence->size(), 30);
  const std::string path = folder_.file("parts.npz");
  ASSERT_TRUE(
      predictToFile(*model, *test_, *ready, {.batch = 4}, path, {.part_bytes = 1}, context_));
  const auto parts = readRun(path, context_);
  ASSERT_OK(parts);
  double largest = 0.0;
  for (const auto& [in_parts, at_once] : {std::pair{&parts->gauge_bridge, &whole->gauge_bridge},
                                          {&parts->gauge_probit, &whole->gauge_probit},
                                          {&parts->gauge_divergence, &whole->gauge_divergence}}) {
    ASSERT_TRUE(*in_parts);
    EXPECT_TRUE(std::ranges::equal((*in_parts)->values(), (*at_once)->values()));
    largest = std::max(largest, std::ranges::max((*in_parts)->values()));
  }
  EXPECT_GT(largest, 0.0);
}

/// The network's features of an item are the same bits in every batch, so are sums up to rounding.
TEST_F(LaplaceMethod, FitsDoNotDependOnTheBatchSize) {
  const ModelPtr model = flat();
  for (const char* structure : {"full", "kron", "diag"}) {
    const auto whole = fitted(model, with(structure, "probit"));
    ASSERT_OK(whole);
    const LaplaceScale scale{90.0, 0.5};
    const double expected = logDetPrecision(whole->fitted->posterior, scale);
    for (const std::int64_t batch : {1, 7}) {
      const auto split = fitted(model, with(structure, "probit"), batch);
      ASSERT_TRUE(split);
      EXPECT_TRUE(closeTo(logDetPrecision(split->fitted->posterior, scale), expected, 1e-10));
    }
  }
  const ModelPtr conv = convolutional();
  const auto whole = predicted(conv, with("kron", "bridge-centred"));
  const auto split = predicted(conv, with("kron", "bridge-centred"), 1);
  ASSERT_TRUE(whole && split);
  for (std::int64_t i = 0; i < whole->logit_var->size(); ++i) {
    EXPECT_TRUE(closeTo(split->logit_var->data()[i], whole->logit_var->data()[i], 1e-5));
  }
  EXPECT_LT(test::largestDifference(probsOf(*whole).values(), probsOf(*split).values()), 1e-5);
}

TEST_F(LaplaceMethod, DrawsDoNotDependOnTheBatchSize) {
  const ModelPtr model = flat();
  context_.seed = 5;
  const auto whole = predicted(model, with("kron", "mc"));
  const auto split = predicted(model, with("kron", "mc"), 4);
  ASSERT_TRUE(whole && split);
  EXPECT_LT(test::largestDifference(probsOf(*whole).values(), probsOf(*split).values()), 1e-5);
  context_.seed = 6;
  const auto other = predicted(model, with("kron", "mc"));
  ASSERT_TRUE(other);
  EXPECT_GT(test::largestDifference(probsOf(*whole).values(), probsOf(*other).values()), 1e-4);
}

TEST_F(LaplaceMethod, AFileHoldsTheRunOfMemory) {
  const ModelPtr model = flat();
  const auto method = fitted(model, with("kron", "bridge-centred"));
  ASSERT_TRUE(method);
  const auto run = predict(*model, *test_, *method, {.batch = 5}, context_);
  const std::string path = folder_.file("run.npz");
  // Parts of one batch each.
  const auto saved =
      predictToFile(*model, *test_, *method, {.batch = 5}, path, {.part_bytes = 1}, context_);
  ASSERT_TRUE(run && saved) << saved.error().message;
  const auto read = readRun(path, context_);
  ASSERT_OK(read);
  EXPECT_TRUE(std::ranges::equal(probsOf(*read).values(), probsOf(*run).values()));
  EXPECT_TRUE(std::ranges::equal(read->alpha->values(), run->alpha->values()));
  EXPECT_TRUE(std::ranges::equal(read->logit_mean->values(), run->logit_mean->values()));
  EXPECT_TRUE(std::ranges::equal(read->logit_var->values(), run->logit_var->values()));
  EXPECT_TRUE(
      std::ranges::equal(read->mutual_information->values(), run->mutual_information->values()));
}

TEST_F(LaplaceMethod, NarrowPosteriorsGiveTheNetworkBack) {
  const ModelPtr model = flat();
  const auto map = predict(*model, *test_, MapOptions{}, {}, context_);
  ASSERT_TRUE(map);
  for (const char* link : {"mc", "probit"}) {
    const auto run = predicted(model, with("kron", link, 1e12));
    ASSERT_OK(run);
    EXPECT_LT(test::largestDifference(probsOf(*run).values(), probsOf(*map).values()), 1e-4);
  }
}

TEST_F(LaplaceMethod, WhatIsMissingIsSaid) {
  const ModelPtr model = flat();
  data_.fit = nullptr;
  const auto no_fit = fitted(model, LaplaceOptions{});
  ASSERT_FALSE(no_fit);
  EXPECT_EQ(no_fit.error().message, "laplace needs the model's training items; give them");
  EXPECT_THAT(no_fit.error().remedy.settings, testing::ElementsAre(setting("fit")));
  data_.fit = train_;
  LaplaceOptions by_nll;
  by_nll.prior = "auto-nll";
  const auto no_calibration = fitted(model, by_nll);
  ASSERT_FALSE(no_calibration);
  EXPECT_EQ(no_calibration.error().message, "the prior auto-nll needs held-out items; give them");
  EXPECT_THAT(no_calibration.error().remedy.settings, testing::ElementsAre(setting("calibration")));
  const auto not_fitted = predict(*model, *test_, LaplaceOptions{}, {}, context_);
  ASSERT_FALSE(not_fitted);
  EXPECT_EQ(not_fitted.error().message,
            "laplace has not been fitted; give the training items, or a posterior");
  EXPECT_THAT(not_fitted.error().remedy.settings,
              testing::ElementsAre(setting("fit"), setting("posterior")));
}

TEST_F(LaplaceMethod, EvidenceWithoutLabelsIsRefused) {
  train_->itemLabels()[3] = -1;
  const auto refused = fitted(flat(), LaplaceOptions{});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("1 of its 90 items"));
  EXPECT_THAT(refused.error().remedy.settings, testing::ElementsAre(setting("prior")));
  EXPECT_TRUE(fitted(flat(), with("kron", "probit")));
}

TEST_F(LaplaceMethod, FittingOnWhatIsEvaluatedIsRefusedOrSaid) {
  const ModelPtr model = flat();
  data_.evaluated = {test_};
  EXPECT_TRUE(fitted(model, with("kron", "probit")));
  data_.evaluated = {train_};
  const auto refused = fitted(model, with("kron", "probit"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  data_.allow_same_split = true;
  const auto allowed = fitted(model, with("kron", "probit"));
  ASSERT_OK(allowed);
  EXPECT_FALSE(allowed->fit->notes.empty());
}

TEST_F(LaplaceMethod, APosteriorIsFittedOnceAndKept) {
  const ModelPtr model = flat();
  data_.posterior_path = folder_.file("posterior.npz");
  const auto first = predicted(model, with("kron", "bridge-centred"));
  ASSERT_OK(first);
  ASSERT_TRUE(std::filesystem::exists(data_.posterior_path));
  data_.fit = nullptr;  // another link and prior, and no training items
  EXPECT_TRUE(predicted(model, with("kron", "probit", 20.0)));
  const auto again = predicted(model, with("kron", "bridge-centred"));
  ASSERT_OK(again);
  EXPECT_TRUE(std::ranges::equal(probsOf(*first).values(), probsOf(*again).values()));

  const auto other_structure = fitted(model, with("diag", "probit"));
  ASSERT_FALSE(other_structure);
  EXPECT_THAT(other_structure.error().message, HasSubstr("kron"));
  const auto other_network = fitted(flat(0.5), with("kron", "probit"));
  ASSERT_FALSE(other_network);
  EXPECT_THAT(other_network.error().message, HasSubstr("another network"));
  data_.fit = calibration_;
  const auto other_items = fitted(model, with("kron", "probit"));
  ASSERT_FALSE(other_items);
  EXPECT_THAT(other_items.error().message, HasSubstr("other items"));
  data_.fit = train_;
  EXPECT_TRUE(fitted(model, with("kron", "probit")));
}

/// The file knows what it was fitted on when the items themselves are not given.
TEST_F(LaplaceMethod, AKeptPosteriorIsNotEvaluatedOnItsOwnItems) {
  const ModelPtr model = flat();
  train_->info().spec = "idx:train";
  data_.posterior_path = folder_.file("posterior.npz");
  ASSERT_TRUE(fitted(model, with("kron", "probit")));
  data_.fit = nullptr;
  data_.evaluated = {train_};
  EXPECT_FALSE(fitted(model, with("kron", "probit")));
  data_.evaluated = {test_};
  EXPECT_TRUE(fitted(model, with("kron", "probit")));
}

TEST_F(LaplaceMethod, AutoNllIsTheBestOfTheLandscape) {
  const ModelPtr model = flat();
  data_.calibration = calibration_;
  for (const char* link : {"probit", "bridge-centred", "mc"}) {
    LaplaceOptions method;
    method.prior = "auto-nll";
    method.link = link;
    method.samples = 50;
    const auto best = fitted(model, method);
    ASSERT_OK(best);
    const auto landscape = laplaceLandscape(*model, *best, data_, {}, context_);
    ASSERT_OK(landscape);
    const auto lowest = std::ranges::min_element(landscape->nll);
    EXPECT_NEAR(landscape->log10_tau[static_cast<std::size_t>(lowest - landscape->nll.begin())],
                std::log10(best->fitted->scale.tau), 1e-9)
        << link;
    // What was promised is what a run over those items has.
    const auto run = predict(*model, *calibration_, *best, {}, context_);
    ASSERT_TRUE(run);
    EXPECT_NEAR(negativeLogLikelihood(probsOf(*run), run->labels.values()), *lowest, 1e-5) << link;
  }
}

TEST_F(LaplaceMethod, MmcDropDropsByTheShare) {
  const ModelPtr model = flat();
  data_.calibration = calibration_;
  LaplaceOptions method;
  method.prior = "mmc-drop=0.1";
  method.link = "mc";
  const auto chosen = fitted(model, method);
  ASSERT_OK(chosen);
  const auto run = predict(*model, *calibration_, *chosen, {}, context_);
  const auto map = predict(*model, *calibration_, MapOptions{}, {}, context_);
  ASSERT_TRUE(run && map);
  EXPECT_NEAR(meanConfidence(run->confidence.values()),
              0.9 * meanConfidence(map->confidence.values()), 1e-4);

  data_.calibration = nullptr;
  const auto on_fitted = fitted(model, method);
  ASSERT_OK(on_fitted);
  ASSERT_FALSE(on_fitted->fit->notes.empty());
  EXPECT_THAT(on_fitted->fit->notes[0], HasSubstr("fitted items"));
}

TEST_F(LaplaceMethod, ProbabilitiesOfALayerThatIsNotTheLastAreRefused) {
  const ModelPtr scaled = test::madeNetwork(folder_, "scaled", R"(
def forward(self, x: Tensor) -> Tensor:
    return torch.linear(torch.flatten(x, 1), self.w, self.b) / 3.0
)",
                                            {{"w", test::spreadNumbers({kClasses, 36}, 0.0)},
                                             {"b", test::spreadNumbers({kClasses}, 1.0)}},
                                            kSide);
  const auto refused = fitted(scaled, with("kron", "probit"));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("something follows"));
  const ModelPtr headless = test::madeNetwork(folder_, "headless", R"(
def forward(self, x: Tensor) -> Tensor:
    return torch.mean(torch.conv2d(x, self.w, self.b), [2, 3])
)",
                                              {{"w", test::spreadNumbers({kClasses, 1, 3, 3}, 0.0)},
                                               {"b", test::spreadNumbers({kClasses}, 1.0)}},
                                              kSide);
  const auto no_head = fitted(headless, with("kron", "probit"));
  ASSERT_FALSE(no_head);
  EXPECT_THAT(no_head.error().message, HasSubstr("not linear"));
}

/// Softmax in the network, no bias, two classes.
/// The items of the audit stay below the limit, a white image does not.
TEST_F(LaplaceMethod, LogitsChangedAfterTheLastLayerAreRefused) {
  const ModelPtr model = test::madeNetwork(
      folder_, "limited", R"(
def forward(self, x: Tensor) -> Tensor:
    y = torch.linear(torch.flatten(x, 1), self.w, self.b)
    y.clamp_(-30., 30.)
    return y
)",
      {{"w", at::cat({at::ones({1, kSide * kSide}), at::zeros({kClasses - 1, kSide * kSide})})},
       {"b", at::zeros({kClasses})}},
      kSide);
  ASSERT_TRUE(model);
  ASSERT_TRUE(model->audit().head.found) << model->audit().head.reason;
  ASSERT_OK(fitted(model, with("kron", "probit")));
  auto& pixels = std::get<Image8>(train_->samples()[5]).pixels;
  std::fill_n(pixels.mutableData(), pixels.size(), std::uint8_t{255});
  const auto refused = fitted(model, with("kron", "probit"));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("not W h + b (they differ by up to 6)"));
}

TEST_F(LaplaceMethod, NetworksThatEndInASoftmax) {
  for (std::int64_t& label : train_->itemLabels()) {
    label %= 2;
  }
  for (std::int64_t& label : test_->itemLabels()) {
    label %= 2;
  }
  const at::Tensor weight = test::spreadNumbers({2, kSide * kSide}, 0.0);
  const ModelPtr with_softmax = test::madeNetwork(folder_, "softmax", R"(
def forward(self, x: Tensor) -> Tensor:
    return torch.softmax(torch.linear(torch.flatten(x, 1), self.w), 1)
)",
                                                  {{"w", weight}}, kSide);
  const ModelPtr without = test::madeNetwork(folder_, "logits", R"(
def forward(self, x: Tensor) -> Tensor:
    return torch.linear(torch.flatten(x, 1), self.w)
)",
                                             {{"w", weight}}, kSide);
  for (const char* structure : {"kron", "diag", "full"}) {
    const auto a = predicted(with_softmax, with(structure, "bridge-centred"));
    const auto b = predicted(without, with(structure, "bridge-centred"));
    ASSERT_OK(a);
    ASSERT_OK(b);
    EXPECT_LT(test::largestDifference(probsOf(*a).values(), probsOf(*b).values()), 1e-6);
  }
}

TEST_F(LaplaceMethod, CancelledFitsLeaveNoPosterior) {
  context_.control()->requestCancel();
  data_.posterior_path = folder_.file("posterior.npz");
  const auto cancelled = fitted(flat(), with("kron", "probit"));
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().code, ErrorCode::kCancelled);
  EXPECT_FALSE(std::filesystem::exists(data_.posterior_path));
}

TEST_F(LaplaceMethod, MemoryThatIsNotThereIsRefusedBeforeTheWork) {
  context_.memory_budget_bytes = 100'000;
  const auto refused = fitted(flat(), with("full", "probit"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kOutOfMemory);
  EXPECT_THAT(refused.error().message, HasSubstr("use the structure kron"));
  EXPECT_THAT(refused.error().remedy.settings, testing::ElementsAre(setting("structure", "kron")));
}

/// The mean log-likelihood that a fit reports is that of the network itself, whatever is added to
/// its last product.
TEST_F(LaplaceMethod, FitsToTheLogitsOfTheNetwork) {
  const std::vector<std::pair<std::string, at::Tensor>> parameters = {
      {"w", test::spreadNumbers({kClasses, kSide * kSide}, 0.0)},
      {"b", test::spreadNumbers({kClasses}, 1.0)},
      {"v", test::spreadNumbers({kClasses, kSide * kSide}, 2.0)}};
  const auto made = [&](const std::string& name, const std::string& returned) {
    return test::madeNetwork(folder_, name,
                             fmt::format(R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.flatten(x, 1)
    return {}
)",
                                         returned),
                             parameters, kSide);
  };
  for (const ModelPtr& model :
       {made("scaled_bias", "torch.linear(x, self.w, self.b * 30)"),
        made("beside", "torch.matmul(x, torch.t(self.w)) + torch.linear(x, self.v, self.b)"),
        made("scalar", "torch.matmul(x, torch.t(self.w)) + self.b[0]"),
        made("plain", "torch.linear(x, self.w, self.b)")}) {
    SCOPED_TRACE(model->path());
    const auto ready = fitted(model, with("kron", "probit"), 7);
    ASSERT_OK(ready);
    const auto of_network = predict(*model, *train_, MapOptions{}, {}, context_);
    ASSERT_OK(of_network);
    double expected = 0.0;
    for (std::int64_t i = 0; i < train_->size(); ++i) {
      expected += std::log(of_network->prob(i, train_->labels()[static_cast<std::size_t>(i)]));
    }
    EXPECT_NEAR(ready->fitted->posterior.log_likelihood / expected, 1.0, 1e-4);
    EXPECT_EQ(model->audit().head.added.empty(), model->metadata().name == "plain");
    const bool says = std::ranges::any_of(ready->fit->notes, [](const std::string& note) {
      return note.starts_with("Added to the last layer");
    });
    EXPECT_EQ(says, model->metadata().name != "plain");
    const auto run = predict(*model, *test_, *ready, {}, context_);
    const auto map = predict(*model, *test_, MapOptions{}, {}, context_);
    ASSERT_TRUE(run && map);
    EXPECT_LT(test::largestDifference(run->logit_mean->values(),
                                      std::get<Array<float>>(*map->logits).values()),
              1e-4);
  }
}

}  // namespace
}  // namespace dubito
