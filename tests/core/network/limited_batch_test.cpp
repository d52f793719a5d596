// SPDX-License-Identifier: GPL-3.0-or-later
// Networks that run on some numbers of items only must give what their twins give that run on any;
// and runs of networks whose draws depend on the batch say so.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/data/sources/array_dataset.h"
#include "core/methods/laplace/laplace_options.h"
#include "core/methods/method_data.h"
#include "core/models/model.h"
#include "core/predict/predict.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

constexpr std::int64_t kItems = 13;
constexpr std::int64_t kInputs = 6;

at::Tensor numbers(std::vector<std::int64_t> shape, double step) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    count *= extent;
  }
  return at::sin(step * at::arange(1, count + 1, at::kDouble)).to(at::kFloat).view(shape);
}

class LimitedBatch : public testing::Test {
 protected:
  ModelPtr network(const std::string& name, const std::string& middle) {
    torch::jit::Module module("network");
    module.register_attribute("training", c10::BoolType::get(), true);
    module.register_parameter("w", numbers({kInputs, kInputs}, 0.7), false);
    module.register_parameter("head", numbers({4, kInputs}, 1.3), false);
    module.define(
        "def forward(self, x: Tensor) -> Tensor:\n"
        "    h = torch.relu(torch.linear(x, self.w))\n" +
        middle + "    return torch.linear(h, self.head)\n");
    module.eval();
    module.save(folder_.file(name),
                {{"metadata.json", R"({"input_size": [6], "output": "logits"})"}});
    RunContext context;
    auto model = loadModel(folder_.file(name), {}, context);
    EXPECT_OK(model);
    return model ? *model : nullptr;
  }

  static std::shared_ptr<const ArrayDataset> items() {
    const at::Tensor x = (numbers({kItems, kInputs}, 2.1) + 1.0) / 2.0;
    const float* const data = x.const_data_ptr<float>();
    std::vector<std::int64_t> labels;
    for (std::int64_t i = 0; i < kItems; ++i) {
      labels.push_back(i % 4);
    }
    return std::make_shared<ArrayDataset>(
        DatasetInfo{},
        Array<float>::fromVector({kItems, kInputs}, std::vector<float>(data, data + x.numel())),
        labels);
  }

  Expected<dubito::Run> run(const ModelPtr& model, const MethodOptions& method,
                            std::int64_t batch) {
    RunContext context;
    context.seed = 3;
    context.memory_budget_bytes = std::int64_t{1} << 30;  // so that a pass is measured
    return predict(*model, *items(), method, {.batch = batch}, context);
  }

  static bool notes(const dubito::Run& run, const std::string& part) {
    return std::ranges::any_of(textsOf(run.meta.notes), [&part](const std::string& note) {
      return note.find(part) != std::string::npos;
    });
  }

  static std::vector<std::uint64_t> hashesOf(const dubito::Run& run) {
    std::vector<std::uint64_t> hashes;
    for (const MaskHash& mask : run.meta.mask_hashes) {
      hashes.push_back(mask.hash);
    }
    return hashes;
  }

  test::TempDir folder_;
};

const std::string kMasked = "    h = torch.dropout(h, 0.5, self.training)\n";

TEST_F(LimitedBatch, FixedProgramsPredictLikeTheirTwinForAnyBatch) {
  const ModelPtr twin = network("free.pt", kMasked);
  McDropoutOptions dropout;
  dropout.draws = 20;
  McDropoutOptions shared = dropout;
  shared.masks = "shared";
  for (const auto& [name, middle] :
       {std::pair<std::string, std::string>{"four", "    h = torch.reshape(h, [4, 6])\n"},
        std::pair<std::string, std::string>{"one", "    h = torch.reshape(h, [1, 6])\n"},
        std::pair<std::string, std::string>{"probe", "    h = torch.reshape(h, [8, 6])\n"},
        std::pair<std::string, std::string>{"squeezed", "    h = torch.squeeze(h)\n"}}) {
    const ModelPtr fixed = network(name + ".pt", middle + kMasked);
    ASSERT_TRUE(fixed && twin);
    for (const MethodOptions& method :
         {MethodOptions(MapOptions()), MethodOptions(dropout), MethodOptions(shared)}) {
      const auto expected = run(twin, method, kItems);
      ASSERT_OK(expected);
      for (const std::int64_t batch : {kItems, std::int64_t{6}, std::int64_t{1}}) {
        SCOPED_TRACE(testing::Message()
                     << name << ", " << methodName(method) << ", batches of " << batch);
        const auto found = run(fixed, method, batch);
        ASSERT_OK(found);
        ASSERT_EQ(found->itemCount(), kItems);
        EXPECT_EQ(hashesOf(*found), hashesOf(*expected));
        EXPECT_TRUE(notes(*found, name == "squeezed" ? "copy of itself" : "batches of exactly"));
        for (std::int64_t item = 0; item < kItems; ++item) {
          for (std::int64_t k = 0; k < 4; ++k) {
            EXPECT_NEAR(found->prob(item, k), expected->prob(item, k), 1e-6) << item;
          }
          if (found->variance) {
            EXPECT_NEAR(found->variance->data()[item], expected->variance->data()[item], 1e-6);
          }
        }
      }
    }
  }
}

TEST_F(LimitedBatch, FixedProgramsHaveAPosteriorOfTheirLastLayer) {
  const auto fitted = [&](const ModelPtr& model, const std::string& layers) {
    RunContext context;
    LaplaceOptions laplace;
    laplace.layers = layers;
    MethodData of_fit;
    of_fit.fit = items();
    return prepareMethod(*model, laplace, of_fit, {.batch = 5}, context);
  };
  const ModelPtr fixed = network("fixed.pt", "    h = torch.reshape(h, [4, 6])\n");
  const ModelPtr twin = network("free.pt", "");
  ASSERT_TRUE(fixed && twin);
  const auto of_fixed = fitted(fixed, "last");
  const auto of_twin = fitted(twin, "last");
  ASSERT_OK(of_fixed);
  ASSERT_OK(of_twin);
  const auto found = run(fixed, *of_fixed, 5);
  const auto expected = run(twin, *of_twin, kItems);
  ASSERT_OK(found);
  ASSERT_OK(expected);
  for (std::int64_t item = 0; item < kItems; ++item) {
    for (std::int64_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(found->prob(item, k), expected->prob(item, k), 1e-5) << item;
    }
  }
  const auto refused = fitted(fixed, "all");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("use the last layer"));
  EXPECT_THAT(refused.error().remedy.settings, testing::ElementsAre(setting("layers", "last")));
}

TEST_F(LimitedBatch, RunsOfDrawsThatDependOnTheBatchSaySo) {
  const ModelPtr branching = network("branch.pt",
                                     "    if bool(torch.sum(x) > 3.2 * x.size(0)):\n"
                                     "        h = torch.dropout(h, 0.1, self.training)\n"
                                     "    else:\n"
                                     "        h = torch.dropout(h, 0.6, self.training)\n");
  ASSERT_TRUE(branching);
  McDropoutOptions dropout;
  dropout.draws = 10;
  if (!branching->audit().batch.draws_depend_on_batch) {
    EXPECT_TRUE(std::ranges::any_of(branching->audit().run_notes, [](const std::string& note) {
      return note.find("branches on a value of the whole batch") != std::string::npos;
    }));
    return;
  }
  const auto drawn = run(branching, dropout, 5);
  ASSERT_OK(drawn);
  EXPECT_TRUE(notes(*drawn, "with dropout on depend on the items that share a batch"));
  EXPECT_TRUE(notes(*drawn, "batches of 5, so the same seed gives other draws"));
  const auto map = run(branching, MapOptions(), 5);
  ASSERT_OK(map);
  EXPECT_FALSE(notes(*map, "share a batch"));
}

TEST_F(LimitedBatch, MasksOfRowsInAnotherOrderAreRefused) {
  const ModelPtr flipped =
      network("flip.pt", "    h = torch.flip(h, [0])\n" + kMasked + "    h = torch.flip(h, [0])\n");
  ASSERT_TRUE(flipped);
  McDropoutOptions dropout;
  dropout.draws = 10;
  dropout.insert = "never";
  const auto refused = run(flipped, dropout, 5);
  ASSERT_FALSE(refused);
  dropout.insert = "auto";
  ASSERT_FALSE(run(flipped, dropout, 5)) << "the network's own dropout was left off unasked";
  dropout.unusable = "off";
  const auto one = run(flipped, dropout, kItems);
  const auto other = run(flipped, dropout, 3);
  ASSERT_OK(one);
  ASSERT_OK(other);
  EXPECT_TRUE(notes(*one, "not all of a batch in its order"));
  EXPECT_EQ(hashesOf(*one), hashesOf(*other));
  for (std::int64_t item = 0; item < kItems; ++item) {
    EXPECT_NEAR(one->prob(item, 0), other->prob(item, 0), 1e-6) << item;
  }
}

}  // namespace
}  // namespace dubito
