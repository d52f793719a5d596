// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/kernels/torch/keyed_dropout_torch.h"
#include "core/models/model_torch.h"
#include "core/network/stochastic_network_torch.h"
#include "core/predict/predict.h"
#include "tests/core/network/list_dataset.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

constexpr std::int64_t kItems = 5;
constexpr std::int64_t kDraws = 3;

at::Tensor itemsOf(const ModelPtr& model) {
  std::vector<std::int64_t> shape = {kItems};
  const auto& item = model->audit().input_shape;
  shape.insert(shape.end(), item.begin(), item.end());
  return at::sin(at::arange(0, at::zeros(shape).numel(), at::kFloat)).reshape(shape);
}

/// Nothing where the file is no network or cannot draw.
std::optional<StochasticNetwork> stochastic(const std::filesystem::path& file) {
  RunContext context;
  const auto model = loadModel(file.string(), {}, context);
  if (!model || !canSharePass((*model)->audit())) {
    return std::nullopt;
  }
  const auto network = placeNetwork(**model, Device());
  const auto plan = planDropout(**model, McDropoutOptions{.unusable = "off"});
  if (!network || !plan) {
    return std::nullopt;
  }
  StochasticNetwork result(*network, *plan, 11, true);
  result.setBatch(itemsOf(*model), {4, 8, 15, 16, 23});
  result.verify();
  return result;
}

std::set<std::filesystem::path> fixtures() {
  std::set<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(test::sourceDir() / "tests/data/models")) {
    files.insert(entry.path());
  }
  return files;
}

TEST(SharedPasses, AreUsedWhereverTheNetworkAllows) {
  std::vector<std::string> sharing;
  std::vector<std::string> alone;
  for (const auto& file : fixtures()) {
    if (const auto network = stochastic(file)) {
      (network->drawsPerPass() > 1 ? sharing : alone).push_back(file.stem().string());
    }
  }
  const std::set<std::string> expected = {"alpha",
                                          "any_size",
                                          "attention",
                                          "attention_options_scripted",
                                          "attention_options_traced",
                                          "autocast_scripted",
                                          "bfloat16_scripted",
                                          "bfloat16_traced",
                                          "branches",
                                          "constants",
                                          "counting_aside",
                                          "dictionary_scripted",
                                          "dictionary_traced",
                                          "double_scripted",
                                          "double_traced",
                                          "drop_block",
                                          "drop_path_by_comparison_traced",
                                          "drop_path_by_drop_rate_traced",
                                          "drop_path_by_floor_traced",
                                          "drop_path_traced",
                                          "fields",
                                          "frozen",
                                          "frozen_twin_a",
                                          "frozen_twin_b",
                                          "gru_scripted",
                                          "gru_traced",
                                          "half_frozen",
                                          "half_scripted",
                                          "half_traced",
                                          "in_place_view",
                                          "instance_norms",
                                          "items_last",
                                          "list_loop_scripted",
                                          "list_loop_traced",
                                          "log_softmax",
                                          "looped",
                                          "lstm",
                                          "lstm_batch_first_scripted",
                                          "lstm_batch_first_traced",
                                          "lstm_bidirectional_scripted",
                                          "lstm_bidirectional_traced",
                                          "mask_by_fill_traced",
                                          "mask_by_where_traced",
                                          "mask_in_training_scripted",
                                          "mask_of_channels_traced",
                                          "mask_of_elements_traced",
                                          "nested_loops",
                                          "noisy_in_training",
                                          "packed",
                                          "rnn_relu_scripted",
                                          "rnn_relu_traced",
                                          "rnn_tanh_scripted",
                                          "rnn_tanh_traced",
                                          "scaled_bias",
                                          "scripted",
                                          "scripted_functional",
                                          "scripted_in_place",
                                          "self_attention_scripted",
                                          "self_attention_traced",
                                          "self_attention_weights_scripted",
                                          "self_attention_weights_traced",
                                          "selu_scripted",
                                          "selu_traced",
                                          "sequence_first",
                                          "softmax",
                                          "stochastic_depth_batch",
                                          "stochastic_depth_scripted",
                                          "stochastic_depth_traced",
                                          "stochastic_depth_unscaled",
                                          "switched_off_scripted",
                                          "switched_off_traced",
                                          "tempered",
                                          "traced_eval",
                                          "traced_train",
                                          "training_branch",
                                          "training_only",
                                          "transformer_batch_first_scripted",
                                          "transformer_batch_first_traced",
                                          "transformer_scripted",
                                          "transformer_traced",
                                          "transformer_traced_eval",
                                          "two_loops",
                                          "unit_rates_broken",
                                          "unit_rates_scripted",
                                          "unit_rates_traced",
                                          "vector",
                                          "wide_and_deep",
                                          "windows"};
  for (const std::string& name : expected) {
    EXPECT_EQ(std::ranges::count(sharing, name), 1) << name;
  }
  for (const std::string& name : sharing) {
    EXPECT_EQ(expected.count(name), 1U) << name;
  }
  EXPECT_THAT(alone, testing::ElementsAre());
}

TEST(SharedPasses, GiveTheRowsAndMasksOfPassesOfTheirOwn) {
  for (const auto& file : fixtures()) {
    auto network = stochastic(file);
    if (!network || network->drawsPerPass() < 2) {
      continue;
    }
    const MaskHashRecorder together;
    const at::Tensor rows = network->draw(2, kDraws);
    const auto expected = together.entries();
    ASSERT_EQ(rows.size(0), kItems * kDraws) << file;
    const MaskHashRecorder apart;
    for (std::int64_t t = 0; t < kDraws; ++t) {
      const at::Tensor own = network->drawWhole(2 + t);
      EXPECT_TRUE(at::allclose(rows.slice(0, kItems * t, kItems * (t + 1)), own, 0.0, 1e-6))
          << file << ", draw " << 2 + t;
    }
    const auto entries = apart.entries();
    ASSERT_EQ(entries.size(), expected.size()) << file;
    ASSERT_FALSE(entries.empty()) << file;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      EXPECT_EQ(entries[i].site, expected[i].site) << file;
      EXPECT_EQ(entries[i].draw, expected[i].draw) << file;
      EXPECT_EQ(entries[i].hash, expected[i].hash) << file;
    }
  }
}

/// A network on 8 x 8 images, from its forward. It has `start` [16, 64] and `weight` [64, 4].
ModelPtr madeNetwork(const test::TempDir& dir, const std::string& forward) {
  torch::jit::Module network("made");
  network.register_attribute("training", c10::BoolType::get(), true);
  network.register_buffer("start", at::linspace(-1, 1, 64).repeat({16, 1}));
  network.register_parameter("weight", at::sin(at::arange(0, 256, at::kFloat)).reshape({64, 4}),
                             false);
  network.define("def forward(self, x: Tensor) -> Tensor:\n" + forward);
  network.save(dir.file("made.pt"),
               {{"metadata.json", R"({"input_size": [8, 8], "channels": 1})"}});
  RunContext context;
  const auto model = loadModel(dir.file("made.pt"), {}, context);
  EXPECT_OK(model);
  return model.value_or(nullptr);
}

constexpr const char* kSizedBySite =
    "    h = torch.dropout(torch.flatten(x, 1), 0.3, self.training)\n"
    "    return torch.matmul(h + self.start[:h.size(0)], self.weight)\n";
constexpr const char* kSizedByInput =
    "    h = torch.dropout(torch.flatten(x, 1), 0.3, self.training)\n"
    "    return torch.matmul(h + self.start[:x.size(0)], self.weight)\n";

// The network takes at most 16 rows, which a handful of items and draws do not reveal.
TEST(SharedPasses, GiveWayToPassesOfTheirOwnWithANote) {
  const test::TempDir dir;
  const ModelPtr model = madeNetwork(dir, kSizedBySite);
  ASSERT_NE(model, nullptr);
  const auto predicted = [&](std::int64_t batch) {
    RunContext context;
    return predict(*model, test::madeImages(10, 8), McDropoutOptions{.draws = 6}, {.batch = batch},
                   context);
  };
  const auto many = predicted(10);
  const auto single = predicted(2);  // 12 rows at most
  ASSERT_OK(many);
  ASSERT_OK(single);
  EXPECT_THAT(textsOf(many->meta.notes), testing::Contains(testing::HasSubstr("its own pass")));
  EXPECT_THAT(textsOf(single->meta.notes),
              testing::Each(testing::Not(testing::HasSubstr("of its own"))));
  EXPECT_LT(test::largestDifference(many->samples->values(), single->samples->values()), 1e-6);
  ASSERT_EQ(many->meta.mask_hashes.size(), 6U);
  for (std::size_t i = 0; i < many->meta.mask_hashes.size(); ++i) {
    EXPECT_EQ(many->meta.mask_hashes[i].hash, single->meta.mask_hashes[i].hash);
  }
}

// A shortcut around the dropout that the program computes after it, and one it writes into.
TEST(SharedPasses, LeaveWhatNoMaskReachesToThePartThatRunsOnce) {
  const test::TempDir dir;
  const ModelPtr model = madeNetwork(dir,
                                     "    a = torch.flatten(x, 1)\n"
                                     "    h = torch.dropout(a, 0.3, self.training)\n"
                                     "    h = torch.matmul(h, self.weight)\n"
                                     "    return h + torch.matmul(a, self.weight)\n");
  ASSERT_NE(model, nullptr);
  const SplitNetwork split = splitAtFirstSite(*model->impl().network.graph);
  const auto products = [](torch::jit::Graph& graph) {
    std::int64_t count = 0;
    forEachNode(graph.block(),
                [&](torch::jit::Node* node) { count += isWeightedLayer(node) ? 1 : 0; });
    return count;
  };
  EXPECT_EQ(products(*split.prefix), 1);
  EXPECT_EQ(products(*split.suffix), 1);

  const ModelPtr written = madeNetwork(dir,
                                       "    a = torch.flatten(x, 1) + 1\n"
                                       "    a += torch.dropout(a, 0.3, self.training)\n"
                                       "    return torch.matmul(a * 2, self.weight)\n");
  ASSERT_NE(written, nullptr);
  EXPECT_EQ(products(*splitAtFirstSite(*written->impl().network.graph).suffix), 1);
  auto network = stochastic(dir.file("made.pt"));
  ASSERT_TRUE(network);
  EXPECT_TRUE(network->notes().empty());
  EXPECT_FALSE(network->drawWhole(0).equal(network->drawWhole(1)));
}

TEST(SharedPasses, TakeWhatFollowsFromTheSizeOfTheBatchFromThePartThatRunsOnce) {
  const test::TempDir dir;
  const ModelPtr model = madeNetwork(dir, kSizedByInput);
  ASSERT_NE(model, nullptr);
  auto network = stochastic(dir.file("made.pt"));
  ASSERT_TRUE(network);
  EXPECT_TRUE(network->notes().empty());
  const at::Tensor rows = network->draw(0, 200);
  EXPECT_TRUE(at::allclose(rows.slice(0, 995, 1000), network->drawWhole(199), 0.0, 1e-6));
}

}  // namespace
}  // namespace dubito
