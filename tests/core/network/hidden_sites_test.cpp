// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "core/kernels/torch/keyed_dropout_torch.h"
#include "core/models/model_torch.h"
#include "core/models/probe_torch.h"
#include "core/network/stochastic_network_torch.h"
#include "tests/core/network/list_dataset.h"

namespace dubito {
namespace {

constexpr std::uint64_t kSeed = 11;

at::Tensor itemsOf(const ModelPtr& model, std::int64_t count) {
  const auto& item = model->audit().input_shape;
  return at::sin(at::arange(0, count * item[0] * item[1] * item[2], at::kFloat))
      .reshape({count, item[0], item[1], item[2]});
}

std::vector<std::int64_t> idsOf(std::int64_t count) {
  std::vector<std::int64_t> ids;
  for (std::int64_t i = 0; i < count; ++i) {
    ids.push_back(100 + 7 * i);
  }
  return ids;
}

StochasticNetwork networkOf(const ModelPtr& model, std::optional<double> drop_rate = {}) {
  const auto network = placeNetwork(*model, Device());
  auto plan = planDropout(*model, McDropoutOptions{.unusable = "off"});
  EXPECT_TRUE(network && plan);
  plan->drop_rate = drop_rate;
  return {*network, *plan, kSeed, true};
}

at::Tensor evaluated(const ModelPtr& model, const at::Tensor& x) {
  GraphRunner runner(deterministicGraph(*model->impl().network.graph), "evaluated");
  return runner.run(deterministicInputs(model->impl().module, x)).at(0).toTensor();
}

at::Tensor parameter(const ModelPtr& model, const std::string& name) {
  for (const auto& entry : model->impl().module.named_parameters()) {
    if (entry.name == name) {
      return entry.value.detach().to(at::kDouble);
    }
  }
  ADD_FAILURE() << "no parameter " << name;
  return {};
}

class HiddenSites : public testing::TestWithParam<std::string> {};

TEST_P(HiddenSites, WithoutDropoutAreTheNetworkItselfBitForBit) {
  const ModelPtr model = test::loadFixture(GetParam());
  const at::Tensor x = itemsOf(model, 5);
  StochasticNetwork stochastic = networkOf(model, 0.0);
  stochastic.setBatch(x, idsOf(5));
  const at::Tensor expected = evaluated(model, x);
  EXPECT_TRUE(stochastic.draw(0, 1).equal(expected));
  EXPECT_TRUE(stochastic.drawWhole(1).equal(expected));
  StochasticNetwork dropping = networkOf(model);
  dropping.setBatch(x, idsOf(5));
  EXPECT_FALSE(dropping.draw(0, 1).equal(expected));
  EXPECT_FALSE(dropping.draw(0, 1).equal(dropping.draw(1, 1)));
}

TEST_P(HiddenSites, DrawTheSameMasksAndRowsForAnySplitAndOrder) {
  const ModelPtr model = test::loadFixture(GetParam());
  const at::Tensor x = itemsOf(model, 6);
  StochasticNetwork stochastic = networkOf(model);
  const MaskHashRecorder together;
  stochastic.setBatch(x, idsOf(6));
  const at::Tensor rows = stochastic.draw(3, 1);
  const auto expected = together.entries();
  ASSERT_FALSE(expected.empty());
  const MaskHashRecorder apart;
  for (const std::vector<std::int64_t>& part : {std::vector<std::int64_t>{5, 0}, {3, 2, 1, 4}}) {
    const at::Tensor chosen = at::tensor(part, at::kLong);
    std::vector<std::int64_t> ids;
    for (const std::int64_t i : part) {
      ids.push_back(idsOf(6)[static_cast<std::size_t>(i)]);
    }
    stochastic.setBatch(x.index_select(0, chosen), ids);
    EXPECT_TRUE(at::allclose(stochastic.draw(3, 1), rows.index_select(0, chosen), 1e-6, 1e-6));
  }
  const auto entries = apart.entries();
  ASSERT_EQ(entries.size(), expected.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(entries[i].site, expected[i].site);
    EXPECT_EQ(entries[i].hash, expected[i].hash);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Inference, HiddenSites,
    testing::Values("transformer_scripted.pt", "transformer_traced.pt",
                    "transformer_batch_first_scripted.pt", "transformer_batch_first_traced.pt",
                    "self_attention_scripted.pt", "self_attention_traced.pt",
                    "self_attention_weights_scripted.pt", "self_attention_weights_traced.pt",
                    "attention_options_scripted.pt", "attention_options_traced.pt",
                    "lstm_bidirectional_scripted.pt", "lstm_bidirectional_traced.pt",
                    "lstm_batch_first_scripted.pt", "lstm_batch_first_traced.pt", "gru_scripted.pt",
                    "gru_traced.pt", "rnn_tanh_scripted.pt", "rnn_tanh_traced.pt",
                    "rnn_relu_scripted.pt", "rnn_relu_traced.pt", "selu_scripted.pt",
                    "selu_traced.pt", "list_loop_scripted.pt", "list_loop_traced.pt", "looped.pt",
                    "two_loops.pt", "branches.pt", "training_branch.pt", "sequence_first.pt",
                    "constants.pt", "stochastic_depth_scripted.pt", "stochastic_depth_traced.pt",
                    "stochastic_depth_batch.pt", "drop_path_traced.pt",
                    "drop_path_by_floor_traced.pt", "drop_path_by_comparison_traced.pt",
                    "drop_path_by_drop_rate_traced.pt", "mask_of_elements_traced.pt",
                    "mask_of_channels_traced.pt", "mask_by_where_traced.pt",
                    "mask_by_fill_traced.pt", "mask_in_training_scripted.pt", "in_place_view.pt",
                    "unit_rates_scripted.pt", "unit_rates_traced.pt"),
    [](const auto& test_case) { return test_case.param.substr(0, test_case.param.find('.')); });

/// relu(x + m b / keep) with one m in {0, 1} per item: computed here from the weights.
TEST(StochasticDepth, KeepsOrDropsTheWholeBlockOfAnItem) {
  constexpr std::int64_t kItems = 40;
  const ModelPtr model = test::loadFixture("stochastic_depth_scripted.pt");
  const at::Tensor x = itemsOf(model, kItems);
  StochasticNetwork stochastic = networkOf(model);
  stochastic.setBatch(x, idsOf(kItems));
  const at::Tensor rows = stochastic.draw(0, 1).to(at::kDouble);
  const auto w = [&](const std::string& name) { return parameter(model, name); };
  const at::Tensor stem =
      at::conv2d(x.to(at::kDouble), w("conv.weight"), w("conv.bias"), 1, at::IntArrayRef{1, 1});
  const at::Tensor block =
      at::tanh(at::conv2d(stem, w("block.weight"), w("block.bias"), 1, at::IntArrayRef{1, 1}));
  const auto head = [&](const at::Tensor& values) {
    return at::linear(at::relu(values).flatten(1), w("fc.weight"), w("fc.bias"));
  };
  const at::Tensor dropped = head(stem);
  const at::Tensor kept = head(stem + block / 0.8);
  std::int64_t drops = 0;
  for (std::int64_t i = 0; i < kItems; ++i) {
    const bool is_dropped = at::allclose(rows[i], dropped[i], 1e-5, 1e-5);
    EXPECT_TRUE(is_dropped || at::allclose(rows[i], kept[i], 1e-5, 1e-5)) << i;
    drops += is_dropped ? 1 : 0;
  }
  EXPECT_GT(drops, 1);
  EXPECT_LT(drops, 20);
}

/// The first half of the units is masked by writing into a view of all of them.
TEST(InPlaceDropout, OfAViewReachesTheWhole) {
  const ModelPtr model = test::loadFixture("in_place_view.pt");
  const at::Tensor x = itemsOf(model, 6);
  StochasticNetwork stochastic = networkOf(model);
  stochastic.setBatch(x, idsOf(6));
  const auto w = [&](const std::string& name) { return parameter(model, name); };
  const at::Tensor h =
      at::tanh(at::linear(x.flatten(1).to(at::kDouble), w("fc1.weight"), w("fc1.bias")));
  // Two draws differ by masks of the first eight units alone.
  const at::Tensor difference = (stochastic.draw(0, 1) - stochastic.draw(1, 1)).to(at::kDouble);
  const at::Tensor columns = w("fc2.weight").slice(1, 0, 8) * 2.0;
  // Each unit was masked in neither, one, or both: -1, 0 or 1 times its column.
  constexpr std::int64_t kCombinations = 6561;
  const at::Tensor numbers = at::arange(kCombinations, at::kLong).unsqueeze(1);
  const at::Tensor powers = at::tensor({1, 3, 9, 27, 81, 243, 729, 2187}, at::kLong);
  const at::Tensor signs =
      (at::remainder(at::floor_divide(numbers, powers), 3) - 1).to(at::kDouble);
  for (std::int64_t i = 0; i < 6; ++i) {
    const at::Tensor sums = at::mm(signs, (columns * h[i].slice(0, 0, 8)).t());
    EXPECT_LT(at::abs(sums - difference[i]).amax(1).min().item().toDouble(), 1e-5) << i;
    EXPECT_GT(difference[i].abs().max().item().toDouble(), 1e-3) << i;
  }
}

TEST(Attention, AveragesToTheEvaluationWhereItIsLinear) {
  // From the attention weights on, this network is linear.
  constexpr std::int64_t kDraws = 4000;
  const ModelPtr model = test::loadFixture("attention_options_scripted.pt");
  const at::Tensor x = itemsOf(model, 2);
  StochasticNetwork stochastic = networkOf(model);
  stochastic.setBatch(x, idsOf(2));
  stochastic.verify();
  ASSERT_GE(stochastic.drawsPerPass(), 2000);
  std::vector<at::Tensor> passes;
  for (std::int64_t t = 0; t < kDraws; t += 2000) {
    passes.push_back(stochastic.draw(t, 2000));
  }
  const at::Tensor rows = at::cat(passes, 0).reshape({kDraws, 2, 4}).to(at::kDouble);
  const at::Tensor error = rows.std(0) / std::sqrt(static_cast<double>(kDraws));
  const at::Tensor distance = (rows.mean(0) - evaluated(model, x).to(at::kDouble)).abs();
  EXPECT_TRUE((error > 0).all().item<bool>());
  EXPECT_TRUE((distance < 5.0 * error).all().item<bool>()) << (distance / error).max();
}

/// What a keyed dropout multiplies [N, units] with, in double.
at::Tensor factors(std::int64_t items, std::int64_t units, double rate, std::int64_t site,
                   std::int64_t draw, std::int64_t execution) {
  return keyedDropout(at::ones({items, units}), rate, static_cast<std::int64_t>(kSeed),
                      at::tensor(idsOf(items), at::kLong), at::full({items}, draw, at::kLong), site,
                      {.execution = execution})
      .to(at::kDouble);
}

TEST(Loops, UseMasksOfTheirOwnInEveryIteration) {
  for (const auto& [file, executions] :
       {std::pair<std::string, std::vector<std::int64_t>>{"looped.pt", {0, 1, 2}},
        {"two_loops.pt", {0, 65536, 65537}}}) {
    const ModelPtr model = test::loadFixture(file);
    const at::Tensor x = itemsOf(model, 3);
    StochasticNetwork stochastic = networkOf(model);
    stochastic.setBatch(x, idsOf(3));
    at::Tensor h = x.flatten(1).to(at::kDouble);
    for (const std::int64_t execution : executions) {
      h = at::relu(at::linear(h, parameter(model, "fc.weight"), parameter(model, "fc.bias"))) *
          factors(3, 64, 0.2, 0, 4, execution);
    }
    const at::Tensor expected =
        at::linear(h, parameter(model, "head.weight"), parameter(model, "head.bias"));
    EXPECT_TRUE(at::allclose(stochastic.draw(4, 1).to(at::kDouble), expected, 1e-5, 1e-6)) << file;
  }
}

TEST(Branches, DropAtTheRatesOfTraining) {
  const ModelPtr model = test::loadFixture("branches.pt");
  const at::Tensor x = itemsOf(model, 3);
  StochasticNetwork stochastic = networkOf(model);
  stochastic.setBatch(x, idsOf(3));
  const auto layer = [&](const at::Tensor& h, const std::string& name) {
    return at::linear(h, parameter(model, name + ".weight"), parameter(model, name + ".bias"));
  };
  at::Tensor h = at::relu(layer(x.flatten(1).to(at::kDouble), "fc1")) *
                 factors(3, 16, 0.2, 0, 4, 0) * factors(3, 16, 0.4, 1, 4, 0);
  h = at::relu(layer(h, "fc2")) * factors(3, 16, 0.3, 2, 4, 0);
  EXPECT_TRUE(at::allclose(stochastic.draw(4, 1).to(at::kDouble), layer(h, "fc3"), 1e-5, 1e-6));
}

TEST(AlphaDropout, FollowsItsFormulaThroughANetwork) {
  const ModelPtr model = test::loadFixture("alpha.pt");
  const at::Tensor x = itemsOf(model, 3);
  StochasticNetwork stochastic = networkOf(model);
  stochastic.setBatch(x, idsOf(3));
  constexpr double kRate = 0.2;
  const double limit = -1.0507009873554805 * 1.6732632423543772;
  const double a = 1.0 / std::sqrt((1.0 - kRate) * (1.0 + kRate * limit * limit));
  const at::Tensor h = at::selu(at::linear(
      x.flatten(1).to(at::kDouble), parameter(model, "fc1.weight"), parameter(model, "fc1.bias")));
  const at::Tensor kept = factors(3, 16, kRate, 0, 4, 0) > 0;
  const at::Tensor moved =
      at::where(kept, a * h - a * kRate * limit, at::full_like(h, a * limit * (1.0 - kRate)));
  const at::Tensor expected = at::matmul(moved, parameter(model, "fc2.weight").t());
  EXPECT_TRUE(at::allclose(stochastic.draw(4, 1).to(at::kDouble), expected, 1e-5, 1e-6));
}

}  // namespace
}  // namespace dubito
