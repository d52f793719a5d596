// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>
#include <vector>

#include "core/data/images/preprocessing.h"
#include "core/models/model_torch.h"
#include "core/network/stochastic_network_torch.h"
#include "core/train/layers_torch.h"
#include "core/train/learned_dropout_torch.h"
#include "core/train/network_torch.h"
#include "core/train/train.h"
#include "tests/core/train/memory_dataset.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using torch::jit::Module;

double sigmoidOf(double x) {
  return 1.0 / (1.0 + std::exp(-x));
}

double logitOf(double p) {
  return std::log(p / (1.0 - p));
}

/// A layer with inputs `units` that are dropped at learned rates.
struct OneLayer {
  OneLayer(DropoutKind kind, const at::Tensor& weight) : place{"drop", "weight", weight.size(1)} {
    place.drops_channels = weight.dim() > 2;
    DropoutDesign design(kind, 0.1);
    network.register_module("drop", design.layer(place, "drop"));
    network.register_parameter("weight", weight.clone().requires_grad_(true), false);
  }

  void setRates(const std::vector<double>& rates) {
    const at::NoGradGuard no_gradients;
    const at::Tensor p = at::tensor(rates, at::kDouble);
    logits().copy_(at::logit(p));
  }
  [[nodiscard]] at::Tensor logits() const {
    return network.attr("drop").toModule().attr("logits").toTensor();
  }
  [[nodiscard]] LearnedDropout learned(double length_scale, std::int64_t items) const {
    return {network, {place}, length_scale, items};
  }

  DropoutPlace place;
  Module network = emptyModule("one_layer");
};

at::Tensor matrixOf(const nlohmann::json& rows) {
  std::vector<at::Tensor> tensors;
  for (const nlohmann::json& row : rows) {
    tensors.push_back(at::tensor(row.get<std::vector<double>>(), at::kDouble));
  }
  return at::stack(tensors).to(at::kFloat);
}

TEST(LearnedDropout, HasThePenaltyOfTheVectors) {
  const nlohmann::json expected = test::readVectors("labs").at("penalty");
  const at::Tensor weight = matrixOf(expected.at("weights"));
  const double length_scale = expected.at("length_scale");
  const std::int64_t items = expected.at("n");
  for (const nlohmann::json& row : expected.at("rows")) {
    OneLayer layer(DropoutKind::kConcrete, weight);
    layer.setRates({row[0]});
    const at::Tensor penalty = layer.learned(length_scale, items).penalty();
    EXPECT_NEAR(penalty.item<double>(), row[1].get<double>(), 1e-7) << row[0];
    penalty.backward();
    EXPECT_NEAR(layer.logits().grad().item<double>(), row[2].get<double>(), 1e-7) << row[0];
  }
  OneLayer layer(DropoutKind::kMulti, weight);
  layer.setRates(expected.at("multi_drop").at("p"));
  EXPECT_NEAR(layer.learned(length_scale, items).penalty().item<double>(),
              expected.at("multi_drop").at("value").get<double>(), 1e-7);
}

// Slow and plain, in double, for weights of a convolution.
double plainPenalty(const at::Tensor& weight, const std::vector<double>& rates, double length_scale,
                    double items) {
  double sum = 0.0;
  for (std::int64_t unit = 0; unit < weight.size(1); ++unit) {
    double norm = 0.0;
    for (std::int64_t out = 0; out < weight.size(0); ++out) {
      const at::Tensor values = weight[out][unit].to(at::kDouble).flatten();
      for (std::int64_t i = 0; i < values.numel(); ++i) {
        norm += std::pow(values[i].item<double>(), 2);
      }
    }
    const double p = rates.size() == 1 ? rates[0] : rates[static_cast<std::size_t>(unit)];
    sum += length_scale * length_scale / (2.0 * items) * norm / (1.0 - p) +
           (p * std::log(p) + (1.0 - p) * std::log(1.0 - p)) / items;
  }
  return sum;
}

TEST(LearnedDropout, HasThePlainPenaltyAndItsGradients) {
  at::manual_seed(3);
  const at::Tensor weight = at::randn({4, 3, 2, 2});
  for (const auto& [kind, rates] : {std::pair{DropoutKind::kConcrete, std::vector<double>{0.2}},
                                    {DropoutKind::kMulti, std::vector<double>{0.05, 0.5, 0.9}}}) {
    OneLayer layer(kind, weight);
    layer.setRates(rates);
    const at::Tensor penalty = layer.learned(0.6, 40).penalty();
    EXPECT_NEAR(penalty.item<double>(), plainPenalty(weight, rates, 0.6, 40), 1e-6);
    penalty.backward();
    constexpr double kStep = 1e-4;
    for (std::size_t i = 0; i < rates.size(); ++i) {
      const auto moved = [&](double step) {
        std::vector<double> changed = rates;
        changed[i] = sigmoidOf(logitOf(rates[i]) + step);
        return plainPenalty(weight, changed, 0.6, 40);
      };
      const double expected = (moved(kStep) - moved(-kStep)) / (2.0 * kStep);
      EXPECT_NEAR(layer.logits().grad()[static_cast<std::int64_t>(i)].item<double>(), expected,
                  1e-6);
    }
    const at::Tensor gradient = layer.network.attr("weight").toTensor().grad();
    at::Tensor larger = weight.clone();
    larger[1][2][0][1] += kStep;
    at::Tensor smaller = weight.clone();
    smaller[1][2][0][1] -= kStep;
    EXPECT_NEAR(gradient[1][2][0][1].item<double>(),
                (plainPenalty(larger, rates, 0.6, 40) - plainPenalty(smaller, rates, 0.6, 40)) /
                    (larger - smaller)[1][2][0][1].item<double>(),
                1e-4);
  }
}

// The relaxed mask of theory, section 4, with the uniform numbers that the layer draws.
TEST(LearnedDropout, MasksAreTheRelaxedOnes) {
  OneLayer layer(DropoutKind::kMulti, at::ones({2, 3}));
  const std::vector<double> rates = {0.05, 0.4, 0.8};
  layer.setRates(rates);
  const at::Tensor x = at::full({5, 3}, 2.0);
  at::manual_seed(9);
  const at::Tensor u = at::rand_like(x);
  at::manual_seed(9);
  const at::Tensor y = layer.network.attr("drop").toModule().forward({x}).toTensor();
  for (std::int64_t i = 0; i < 5; ++i) {
    for (std::int64_t k = 0; k < 3; ++k) {
      const double p = rates[static_cast<std::size_t>(k)];
      const double z =
          sigmoidOf((logitOf(p) + logitOf(u[i][k].item<double>())) / kConcreteTemperature);
      EXPECT_NEAR(y[i][k].item<double>(), 2.0 * (1.0 - z) / (1.0 - p), 1e-3) << i << ", " << k;
    }
  }
}

TEST(LearnedDropout, DropsChannelsAsAWhole) {
  OneLayer layer(DropoutKind::kConcrete, at::ones({2, 6, 3, 3}));
  layer.setRates({0.5});
  const at::Tensor y =
      layer.network.attr("drop").toModule().forward({at::ones({20, 6, 4, 5})}).toTensor();
  const at::Tensor channels = y.reshape({20, 6, 20});
  EXPECT_TRUE(std::get<0>(channels.max(2)).equal(std::get<0>(channels.min(2))));
  EXPECT_GT(channels.select(2, 0).std().item<double>(), 0.5);
}

/// Trained a little on `dataset`, opened again.
ModelPtr trainedOn(const Dataset& dataset, const TrainOptions& options, const std::string& path,
                   TrainReport* out = nullptr) {
  RunContext context;
  context.seed = 4;
  const auto report = train(dataset, options, path, context);
  EXPECT_OK(report);
  if (out != nullptr && report) {
    *out = *report;
  }
  auto model = loadModel(path, {}, context);
  EXPECT_OK(model);
  return model ? *model : nullptr;
}

TrainOptions learning(const std::string& architecture, const std::string& dropout) {
  TrainOptions options;
  options.architecture = architecture;
  options.dropout = dropout;
  options.epochs = 3;
  options.batch = 32;
  options.width = 0.2;
  options.shift = 1;
  options.drop_channels = architecture != "mlp";
  return options;
}

struct Kind {
  std::string architecture;
  std::string dropout;
  std::size_t sites;
};

class NetworksThatLearnTheirDropout : public testing::TestWithParam<Kind> {};

TEST_P(NetworksThatLearnTheirDropout, AreSavedWithOrdinarySites) {
  const auto& [architecture, dropout, sites] = GetParam();
  const test::TempDir dir;
  const test::MemoryDataset dataset = test::barImages(120, 20);
  TrainReport report;
  const ModelPtr model =
      trainedOn(dataset, learning(architecture, dropout), dir.file("m.pt"), &report);
  ASSERT_NE(model, nullptr);
  const auto& found = model->audit().dropout_sites;
  ASSERT_EQ(found.size(), sites);
  ASSERT_EQ(report.epochs.size(), 3U);
  const std::vector<LayerDropRates>& last = report.epochs.back().drop_rates;
  ASSERT_EQ(last.size(), sites);
  for (std::size_t i = 0; i < sites; ++i) {
    EXPECT_EQ(found[i].name, last[i].layer);
    EXPECT_EQ(found[i].refused, "");
    EXPECT_EQ(found[i].mode, "follows training");
    EXPECT_NEAR(found[i].drop_rate, last[i].mean, 1e-6);
    EXPECT_NE(last[i].mean, report.epochs[0].drop_rates[i].mean) << "the rates do not move";
    EXPECT_EQ(found[i].unit_rates.empty(), dropout == "concrete");
    if (dropout == "multi") {
      EXPECT_LT(last[i].smallest, last[i].largest);
      EXPECT_FALSE(last[i].units.empty());
    }
  }
  EXPECT_EQ(report.parameter_count, model->audit().parameter_count);
}

INSTANTIATE_TEST_SUITE_P(Train, NetworksThatLearnTheirDropout,
                         testing::Values(Kind{"lenet", "concrete", 3}, Kind{"lenet", "multi", 3},
                                         Kind{"resnet", "concrete", 2}, Kind{"resnet", "multi", 2},
                                         Kind{"mlp", "concrete", 2}, Kind{"mlp", "multi", 2}),
                         [](const auto& test_case) {
                           return test_case.param.architecture + "_" + test_case.param.dropout;
                         });

// The sampled network drops each unit as often as was learned.
TEST(LearnedDropout, IsSampledAtTheLearnedRates) {
  const test::TempDir dir;
  const ModelPtr model = trainedOn(test::blobs(120), learning("mlp", "multi"), dir.file("m.pt"));
  ASSERT_NE(model, nullptr);
  const Module module = model->impl().module;
  Module layer = module.attr("dropout2").toModule();
  layer.train();
  const at::Tensor rates = layer.attr("drop_rates").toTensor().to(at::kDouble);
  const std::int64_t units = rates.numel();
  constexpr std::int64_t kDraws = 20000;
  const at::Tensor y = layer.forward({at::ones({kDraws, units})}).toTensor();
  const at::Tensor dropped = y.eq(0).to(at::kDouble).mean(0);
  const at::Tensor deviation = at::sqrt(rates * (1.0 - rates) / static_cast<double>(kDraws));
  EXPECT_LT(((dropped - rates).abs() / deviation).max().item<double>(), 5.0);
  EXPECT_NEAR(y.mean().item<double>(), 1.0, 0.02);
}

/// Points in the plane whose class is the sector of a circle that they are in, without error, or,
/// with `noisy` labels, a random one.
test::MemoryDataset sectors(std::int64_t count, bool noisy) {
  std::vector<Sample> samples;
  std::vector<std::int64_t> labels;
  std::uint32_t state = 99;
  const auto uniform = [&state] {
    state = state * 1664525U + 1013904223U;
    return static_cast<float>(state >> 8) / static_cast<float>(1U << 24) * 2.0F - 1.0F;
  };
  for (std::int64_t i = 0; i < count; ++i) {
    const float x = uniform();
    const float y = uniform();
    const double sector = noisy ? 3.0 * (uniform() + 1.0F)
                                : 6.0 * (std::atan2(y, x) / (2.0 * std::numbers::pi) + 0.5);
    samples.emplace_back(Array<float>::fromVector({2}, {x, y}));
    labels.push_back(std::min<std::int64_t>(5, static_cast<std::int64_t>(sector)));
  }
  return {std::move(samples), std::move(labels)};
}

/// Mean learned rate of an mlp after training.
double learnedRate(bool noisy, const std::string& dropout) {
  const test::TempDir dir;
  TrainOptions options = learning("mlp", dropout);
  options.width = 0.05;
  options.epochs = 100;
  options.optimiser = "adam";
  options.learning_rate = 0.01;
  options.drop_rate = 0.2;
  options.length_scale = 0.1;
  TrainReport report;
  EXPECT_NE(trainedOn(sectors(600, noisy), options, dir.file("m.pt"), &report), nullptr);
  return report.epochs.empty() ? 0.0 : report.epochs.back().drop_rates.back().mean;
}

// What can be learned without error needs every unit of a small network; where nothing can be
// learned, the entropy of the rates is all that counts, which is largest at 1/2.
TEST(LearnedDropout, FallsWhereThereIsNoNoiseAndRisesWhereThereIsNothingElse) {
  for (const char* dropout : {"concrete", "multi"}) {
    EXPECT_LT(learnedRate(false, dropout), 0.12) << dropout;
    EXPECT_GT(learnedRate(true, dropout), 0.3) << dropout;
  }
}

}  // namespace
}  // namespace dubito
