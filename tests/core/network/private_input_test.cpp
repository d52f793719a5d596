// SPDX-License-Identifier: GPL-3.0-or-later
// Networks that write into their input must give what their twins give that do not.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include <string>
#include <vector>

#include "core/data/sources/array_dataset.h"
#include "core/methods/method_data.h"
#include "core/models/graph_torch.h"
#include "core/models/model_torch.h"
#include "core/predict/predict.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

constexpr std::int64_t kItems = 13;
constexpr std::int64_t kInputs = 6;

/// Two beginnings of a program: one writes into x, the other computes the same x without it.
struct Twins {
  std::string name;
  std::string writes;
  std::string copies;
};

void PrintTo(const Twins& twins, std::ostream* out) {
  *out << twins.name;
}

const std::vector<Twins>& twins() {
  static const std::vector<Twins> all{
      {"subtract", "    x.sub_(0.5).div_(0.25)\n", "    x = (x - 0.5) / 0.25\n"},
      {"augmented", "    x -= 0.5\n    x *= 3.0\n", "    x = (x - 0.5) * 3.0\n"},
      {"column", "    x[:, 0] = 2.0\n",
       "    x = torch.cat([torch.full_like(x[:, :1], 2.0), x[:, 1:]], 1)\n"},
      {"view", "    x.view(-1).mul_(2.0)\n", "    x = x * 2.0\n"},
      {"transposed", "    x.t().add_(1.0)\n", "    x = x + 1.0\n"},
      {"rectified", "    x.sub_(0.5)\n    torch.relu_(x)\n", "    x = torch.relu(x - 0.5)\n"},
      {"clamped", "    x.clamp_(0.2, 0.8)\n", "    x = x.clamp(0.2, 0.8)\n"},
      {"slice of a slice", "    y = x[:, 1:4]\n    y[:, 0].fill_(1.0)\n",
       "    x = torch.cat([x[:, :1], torch.ones_like(x[:, 1:2]), x[:, 2:]], 1)\n"},
      {"loop", "    for i in range(3):\n        x.mul_(1.5)\n",
       "    x = x * 1.5\n    x = x * 1.5\n    x = x * 1.5\n"},
      {"branch", "    if x.size(1) > 2:\n        x.add_(0.25)\n", "    x = x + 0.25\n"},
      {"list", "    parts = [x, x]\n    parts[0].neg_()\n", "    x = -x\n"},
      {"out", "    torch.mul(x, 2.0, out=x)\n", "    x = torch.mul(x, 2.0)\n"},
      {"copied into", "    x.copy_(x.flip(1))\n", "    x = x.flip(1)\n"},
      {"after the first site",
       "    h = torch.linear(torch.dropout(x, 0.3, self.training), self.w)\n    x.mul_(2.0)\n    x "
       "= x + h\n",
       "    h = torch.linear(torch.dropout(x, 0.3, self.training), self.w)\n    x = x * 2.0 + "
       "h\n"}};
  return all;
}

at::Tensor numbers(std::vector<std::int64_t> shape, double step) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    count *= extent;
  }
  return at::sin(step * at::arange(1, count + 1, at::kDouble)).to(at::kFloat).view(shape);
}

class PrivateInput : public testing::TestWithParam<Twins> {
 protected:
  ModelPtr network(const std::string& name, const std::string& beginning) {
    torch::jit::Module module("network");
    module.register_attribute("training", c10::BoolType::get(), true);
    module.register_parameter("w", numbers({kInputs, kInputs}, 0.7), false);
    module.register_parameter("head", numbers({4, kInputs}, 1.3), false);
    module.define("def forward(self, x: Tensor) -> Tensor:\n" + beginning +
                  "    x = torch.relu(torch.linear(x, self.w))\n"
                  "    x = torch.dropout(x, 0.5, self.training)\n"
                  "    return torch.linear(x, self.head)\n");
    module.eval();
    module.save(folder_.file(name),
                {{"metadata.json", R"({"input_size": [6], "output": "logits"})"}});
    RunContext context;
    auto model = loadModel(folder_.file(name), {}, context);
    EXPECT_OK(model);
    return model ? *model : nullptr;
  }

  dubito::Run run(const ModelPtr& model, const MethodOptions& method, std::int64_t batch) {
    const at::Tensor x = (numbers({kItems, kInputs}, 2.1) + 1.0) / 2.0;
    const float* const data = x.const_data_ptr<float>();
    const ArrayDataset items(
        {}, Array<float>::fromVector({kItems, kInputs}, std::vector<float>(data, data + x.numel())),
        std::vector<std::int64_t>(kItems, -1));
    RunContext context;
    context.seed = 3;
    auto run = predict(*model, items, method, {.batch = batch}, context);
    EXPECT_OK(run);
    return run ? *std::move(run) : dubito::Run();
  }

  /// The same numbers, up to the order of sums, and the same masks of the same items.
  static void expectSame(const dubito::Run& a, const dubito::Run& b) {
    ASSERT_EQ(a.itemCount(), kItems);
    ASSERT_EQ(b.itemCount(), kItems);
    EXPECT_EQ(a.meta.dataset_hash, b.meta.dataset_hash);
    EXPECT_EQ(a.meta.notes, b.meta.notes);
    for (std::int64_t item = 0; item < kItems; ++item) {
      for (std::int64_t k = 0; k < 4; ++k) {
        EXPECT_NEAR(a.prob(item, k), b.prob(item, k), 1e-6) << item;
      }
      if (a.variance) {
        EXPECT_NEAR(a.variance->data()[item], b.variance->data()[item], 1e-6) << item;
      }
    }
  }

  test::TempDir folder_;
};

TEST_P(PrivateInput, PredictsLikeItsTwinForAnyBatch) {
  const ModelPtr writer = network("writes.pt", GetParam().writes);
  const ModelPtr twin = network("copies.pt", GetParam().copies);
  ASSERT_TRUE(writer && twin);
  McDropoutOptions dropout;
  dropout.draws = 20;
  for (const MethodOptions& method : {MethodOptions(MapOptions()), MethodOptions(dropout)}) {
    const dubito::Run expected = run(twin, method, kItems);
    for (const std::int64_t batch : {kItems, std::int64_t{4}, std::int64_t{1}}) {
      SCOPED_TRACE(testing::Message() << methodName(method) << ", batches of " << batch);
      expectSame(run(writer, method, batch), expected);
    }
  }
}

TEST_P(PrivateInput, LeavesWhatItIsGivenUnchanged) {
  const ModelPtr writer = network("writes.pt", GetParam().writes);
  ASSERT_TRUE(writer);
  const at::Tensor x = numbers({kItems, kInputs}, 2.1);
  const at::Tensor before = x.clone();
  GraphRunner runner(deterministicGraph(*writer->impl().network.graph), "test");
  const at::Tensor none = at::empty({0}, at::kLong);
  static_cast<void>(runner.run({writer->impl().module._ivalue(), x, std::int64_t{0}, none, none}));
  EXPECT_TRUE(x.equal(before));
}

/// Number of copies that the prepared program makes.
std::int64_t copiesIn(const ModelPtr& model) {
  std::int64_t copies = 0;
  forEachNode(model->impl().network.graph->block(),
              [&](torch::jit::Node* node) { copies += node->kind() == c10::aten::clone ? 1 : 0; });
  return copies;
}

TEST_P(PrivateInput, IsCopiedOnlyForNetworksThatWrite) {
  const ModelPtr writer = network("writes.pt", GetParam().writes);
  const ModelPtr twin = network("copies.pt", GetParam().copies);
  ASSERT_TRUE(writer && twin);
  EXPECT_EQ(copiesIn(writer), 1);
  EXPECT_EQ(copiesIn(twin), 0);
}

INSTANTIATE_TEST_SUITE_P(Inference, PrivateInput, testing::ValuesIn(twins()),
                         [](const testing::TestParamInfo<Twins>& twin) {
                           std::string name = twin.param.name;
                           std::ranges::replace(name, ' ', '_');
                           return name;
                         });

}  // namespace
}  // namespace dubito
