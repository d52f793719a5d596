// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of the training of a head: Adam in one pass, keyed masks, independence of threads.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/optim/adam.h>

#include <memory>

#include "core/kernels/torch/keyed_dropout_torch.h"
#include "core/kernels/torch/keyed_random_torch.h"
#include "core/train/dropout_layers_torch.h"
#include "core/train/head/fit_head_network_torch.h"
#include "core/train/head/fused_adam_torch.h"
#include "core/train/head/head_network_torch.h"
#include "core/train/head/head_pass_torch.h"
#include "core/train/head/head_step_torch.h"
#include "core/train/torch_state_torch.h"
#include "tests/core/train/keyed_head.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

using torch::jit::Module;

class Threads {
 public:
  explicit Threads(int count) : before_(at::get_num_threads()) { at::set_num_threads(count); }
  ~Threads() { at::set_num_threads(before_); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

 private:
  int before_;
};

std::vector<torch::optim::OptimizerParamGroup> groupsOf(const std::vector<at::Tensor>& decayed,
                                                        const std::vector<at::Tensor>& others) {
  std::vector<torch::optim::OptimizerParamGroup> groups;
  groups.emplace_back(decayed, std::make_unique<torch::optim::AdamOptions>(
                                   torch::optim::AdamOptions(0.01).weight_decay(0.02)));
  groups.emplace_back(others, std::make_unique<torch::optim::AdamOptions>(
                                  torch::optim::AdamOptions(0.01).weight_decay(0.0)));
  return groups;
}

/// Parameters of several slices, of less than one, and of a single element.
std::vector<at::Tensor> someParameters() {
  at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(7);
  std::vector<at::Tensor> parameters;
  for (const std::vector<std::int64_t>& sizes :
       std::vector<std::vector<std::int64_t>>{{250, 200}, {33}, {1}}) {
    parameters.push_back(at::randn(sizes, generator).requires_grad_(true));
  }
  return parameters;
}

/// Gradients in `count` parts for step `step`.
std::vector<std::vector<at::Tensor>> someGradients(const std::vector<at::Tensor>& parameters,
                                                   std::size_t count, std::uint64_t step) {
  at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(100 + step);
  std::vector<std::vector<at::Tensor>> parts(count);
  for (std::vector<at::Tensor>& part : parts) {
    for (const at::Tensor& parameter : parameters) {
      part.push_back(at::randn(parameter.sizes(), generator));
    }
  }
  return parts;
}

std::vector<at::Tensor> afterFusedSteps(int threads) {
  const Threads used(threads);
  std::vector<at::Tensor> parameters = someParameters();
  FusedAdam adam(groupsOf({parameters[0], parameters[1]}, {parameters[2]}));
  for (std::uint64_t step = 0; step < 30; ++step) {
    adam.step(someGradients(parameters, 3, step), 0.01 / static_cast<double>(1 + step));
  }
  return parameters;
}

TEST(FusedAdam, MovesAsTorchsAdam) {
  std::vector<at::Tensor> expected = someParameters();
  torch::optim::Adam adam(groupsOf({expected[0], expected[1]}, {expected[2]}),
                          torch::optim::AdamOptions(0.01));
  for (std::uint64_t step = 0; step < 30; ++step) {
    for (auto& group : adam.param_groups()) {
      group.options().set_lr(0.01 / static_cast<double>(1 + step));
    }
    const auto parts = someGradients(expected, 3, step);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      expected[i].mutable_grad() = parts[0][i] + parts[1][i] + parts[2][i];
    }
    adam.step();
  }
  const std::vector<at::Tensor> moved = afterFusedSteps(1);
  const std::vector<at::Tensor> start = someParameters();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    // Weights of size 1 are rounded to 6e-8 in each step.
    EXPECT_LT((moved[i] - expected[i]).abs().max().item<double>(), 1e-6) << i;
    EXPECT_GT((moved[i] - start[i]).abs().max().item<double>(), 1e-3) << i;
  }
}

TEST(FusedAdam, DoesNotDependOnThreads) {
  const std::vector<at::Tensor> one = afterFusedSteps(1);
  for (const int threads : {2, 3, 5}) {
    const std::vector<at::Tensor> several = afterFusedSteps(threads);
    for (std::size_t i = 0; i < one.size(); ++i) {
      EXPECT_TRUE(at::equal(several[i], one[i])) << i << ", " << threads << " threads";
    }
  }
}

/// A head with two layers of 50 inputs, whose second dropout is looked at.
struct TwoLayers {
  explicit TwoLayers(DropoutKind kind) : design(kind, 0.3), network(build()) {}

  Module build() {
    HeadOptions options;
    options.layers = 2;
    options.units = 50;
    at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(1);
    return buildHeadNetwork(options, {std::vector<float>(50), 1.0F}, 3, generator, design);
  }

  DropoutDesign design;
  Module network;
};

struct Keyed {
  at::Tensor x = at::rand({40, 50}) + 0.5;
  at::Tensor items = at::arange(40, at::kLong) * 3;
  at::Tensor draws = at::full({40}, 6, at::kLong);
};

TEST(KeyedLayer, DropsAsTheKernelDoesAndOnlyInTraining) {
  const Keyed keyed;
  TwoLayers head(DropoutKind::kFixed);
  const at::Tensor dropped = HeadPass(head.network, head.design.places())
                                 .dropped(1, keyed.x, {9, keyed.items, keyed.draws});
  EXPECT_TRUE(at::equal(
      dropped, keyedDropout(keyed.x, 0.3, 9, keyed.items, keyed.draws, kTrainingSites + 1)));
  // 2000 decisions: the standard error is 0.01.
  EXPECT_NEAR(dropped.eq(0.0).to(at::kFloat).mean().item<double>(), 0.3, 0.05);
  head.network.eval();
  Module layer = head.network.attr("dropout2").toModule();
  EXPECT_TRUE(at::equal(layer.forward({keyed.x}).toTensor(), keyed.x));
}

TEST(KeyedLayer, RelaxesKeyedUniformNumbers) {
  const Keyed keyed;
  const TwoLayers head(DropoutKind::kConcrete);
  const at::Tensor u = keyedRandom(keyed.x, {"uniform", 0.0, 1.0}, 9, keyed.items, keyed.draws,
                                   {kTrainingSites + 1, 0, 0})
                           .to(at::kDouble);
  // Theory, section 4.
  const at::Tensor z = at::sigmoid((std::log(0.3 / 0.7) + at::log(u) - at::log1p(-u)) / 0.1);
  const at::Tensor expected = keyed.x.to(at::kDouble) * (1.0 - z) / 0.7;
  const at::Tensor dropped = HeadPass(head.network, head.design.places())
                                 .dropped(1, keyed.x, {9, keyed.items, keyed.draws});
  // The logit of u, up to 16, is rounded to 1e-6 and multiplied by 10.
  EXPECT_TRUE(at::allclose(dropped.to(at::kDouble), expected, 1e-4, 1e-5));
}

/// Features [300, 8] of three classes.
LabelledFeatures bumps() {
  at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(1);
  at::Tensor values = at::randn({300, 8}, generator);
  LabelledFeatures items;
  for (std::int64_t i = 0; i < 300; ++i) {
    items.labels.push_back(i % 3);
    values[i][i % 3] += 2.0;
  }
  items.features = Array<float>::fromVector(
      {300, 8}, std::vector<float>(values.const_data_ptr<float>(),
                                   values.const_data_ptr<float>() + values.numel()));
  return items;
}

// The penalty of learned rates counts once, in however many parts the rows are.
TEST(HeadStep, FollowsTheGradientOfTheLossWithThePenalty) {
  constexpr std::int64_t kRows = 200;
  constexpr double kRate = 0.01;
  at::manual_seed(2);
  HeadOptions options;
  options.layers = 2;
  options.units = 20;
  const HeadFrame frame{std::vector<float>(8, 0.5F), 1.5F};
  DropoutDesign design(DropoutKind::kMulti, 0.2);
  at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(4);
  Module network = buildHeadNetwork(options, frame, 3, generator, design);
  // So few items that the penalty is as large as the loss.
  LearnedDropout learned(network, design.places(), 3.0, 40);
  const HeadTensors items{at::randn({kRows, 8}), at::randint(3, {kRows}, at::kLong)};
  const at::Tensor rows = at::arange(kRows, at::kLong);
  const at::Tensor logits = test::keyedLogits(network, design.places(), items.features,
                                              {6, rows, at::full_like(rows, 2)});
  const at::Tensor loss = at::cross_entropy_loss(logits, items.labels, {}, at::Reduction::Sum);
  const HeadPass pass(network, design.places());
  std::vector<at::Tensor> by = pass.parameters();
  const std::size_t weights = by.size();
  for (const at::Tensor& rates : learned.logits()) {
    by.push_back(rates);
  }
  const auto expected =
      torch::autograd::grad({loss / static_cast<double>(kRows) + learned.penalty()}, by);
  std::vector<at::Tensor> before;
  for (const at::Tensor& parameter : pass.parameters()) {
    before.push_back(parameter.detach().clone());
  }

  FusedAdam adam({torch::optim::OptimizerParamGroup(
      pass.parameters(), std::make_unique<torch::optim::AdamOptions>(kRate))});
  HeadStep step(items, pass, learned, adam, 6, at::kCPU);
  EXPECT_NEAR(step.run(rows, 2, kRate, 1.0), loss.item<double>(), 1e-3);

  for (std::size_t i = 0; i < weights; ++i) {
    // The first step of Adam.
    const at::Tensor moved = -kRate * expected[i] / (expected[i].abs() + 1e-8);
    EXPECT_LT((pass.parameters()[i].detach() - before[i] - moved).abs().max().item<double>(), 1e-4)
        << i;
  }
  for (std::size_t i = 0; i < learned.logits().size(); ++i) {
    const at::Tensor& gradient = learned.logits()[i].grad();
    EXPECT_LT(
        ((gradient - expected[weights + i]).norm() / expected[weights + i].norm()).item<double>(),
        1e-5)
        << i;
  }
}

class HeadSteps : public testing::TestWithParam<const char*> {};

// Minibatches of four parts, and a last one of two.
TEST_P(HeadSteps, DoNotDependOnThreads) {
  const HeadItems items{.train = bumps(), .ids = {}, .validation = {}, .classes = 3};
  HeadOptions options;
  options.dropout = GetParam();
  options.layers = 2;
  options.units = 40;
  options.epochs = 4;
  options.minibatch = 250;
  const auto weightsWith = [&](int threads) {
    RunContext context;
    context.seed = 5;
    context.threads = threads;
    const auto fitted = fitHeadNetwork(items, options, context);
    EXPECT_OK(fitted);
    std::vector<at::Tensor> weights;
    for (const at::Tensor& parameter : fitted->impl->module.parameters()) {
      weights.push_back(parameter);
    }
    return weights;
  };
  const std::vector<at::Tensor> one = weightsWith(1);
  for (const int threads : {2, 3}) {
    const std::vector<at::Tensor> several = weightsWith(threads);
    ASSERT_EQ(several.size(), one.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
      EXPECT_TRUE(at::equal(several[i], one[i])) << i << ", " << threads << " threads";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Train, HeadSteps, testing::Values("none", "fixed", "concrete", "multi"),
                         [](const auto& test_case) { return std::string(test_case.param); });

}  // namespace
}  // namespace dubito
