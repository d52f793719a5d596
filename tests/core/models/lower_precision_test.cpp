// SPDX-License-Identifier: GPL-3.0-or-later
// Networks whose program computes parts of them in half precision, and networks that are in it.
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/models/graph_torch.h"
#include "core/models/model.h"
#include "core/models/model_torch.h"
#include "core/models/probe_torch.h"
#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

at::Tensor numbers(std::vector<std::int64_t> shape, double step) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    count *= extent;
  }
  return at::sin(step * at::arange(1, count + 1, at::kDouble)).to(at::kFloat).view(shape);
}

at::Tensor items() {
  return numbers({10, 6}, 2.1);
}

/// A network with the matrices a, b and c, in these types.
Expected<ModelPtr> opened(const std::string& body, at::ScalarType a, at::ScalarType b,
                          at::ScalarType c) {
  const test::TempDir folder;
  torch::jit::Module module("net");
  module.register_attribute("training", c10::BoolType::get(), true);
  module.register_parameter("a", numbers({16, 6}, 0.7).to(a), false);
  module.register_parameter("b", numbers({16, 16}, 0.9).to(b), false);
  module.register_parameter("c", numbers({5, 16}, 1.3).to(c), false);
  module.define("def forward(self, x: Tensor) -> Tensor:\n" + body);
  module.eval();
  module.save(folder.file("net.pt"),
              {{"metadata.json", R"({"input_size": [6], "output": "logits"})"}});
  RunContext context;
  return loadModel(folder.file("net.pt"), {}, context);
}

at::Tensor rowsOf(const Model& model) {
  GraphRunner runner(deterministicGraph(*model.impl().network.graph), "test");
  return runner.run(deterministicInputs(model.impl().module, items()))
      .at(0)
      .toTensor()
      .to(at::kDouble);
}

at::Tensor weight(std::vector<std::int64_t> shape, double step, at::ScalarType type) {
  return numbers(std::move(shape), step).to(type);
}

bool hasNote(const Model& model, const std::string& part) {
  return std::ranges::any_of(model.audit().run_notes, [&part](const std::string& note) {
    return note.find(part) != std::string::npos;
  });
}

constexpr at::ScalarType kFloat = at::kFloat;

TEST(LowerPrecision, ConversionsOfTheProgramAreKept) {
  const auto model = opened(
      "  h = torch.relu(torch.linear(x, self.a)).to(15)\n"
      "  h = torch.dropout(h, 0.3, self.training).to(6)\n"
      "  return torch.linear(h, self.c) * 3.0\n",
      kFloat, kFloat, kFloat);
  ASSERT_OK(model);
  const at::Tensor hidden =
      at::relu(at::linear(items(), weight({16, 6}, 0.7, kFloat))).to(at::kBFloat16).to(kFloat);
  const at::Tensor expected = at::linear(hidden, weight({5, 16}, 1.3, kFloat)) * 3.0;
  const at::Tensor difference = at::abs(rowsOf(**model) - expected.to(at::kDouble));
  EXPECT_LT(difference.max().item().toDouble(), 1e-5);
  const at::Tensor in_float =
      at::linear(at::relu(at::linear(items(), weight({16, 6}, 0.7, kFloat))),
                 weight({5, 16}, 1.3, kFloat)) *
      3.0;
  EXPECT_GT(at::abs(rowsOf(**model) - in_float.to(at::kDouble)).max().item().toDouble(), 1e-3);
  EXPECT_TRUE(hasNote(**model, "parts of it in bfloat16"));
  EXPECT_FALSE(hasNote(**model, "stored in half precision"));
}

TEST(LowerPrecision, LayersInHalfPrecisionStayInIt) {
  for (const at::ScalarType half : {at::kBFloat16, at::kHalf}) {
    const std::string number = half == at::kHalf ? "5" : "15";
    const auto model = opened("  h = torch.relu(torch.linear(x, self.a)).to(" + number + ")\n" +
                                  "  h = torch.relu(torch.linear(h, self.b))\n"
                                  "  h = torch.dropout(h, 0.3, self.training).to(6)\n"
                                  "  return torch.linear(h, self.c) * 3.0\n",
                              kFloat, half, kFloat);
    ASSERT_OK(model);
    const at::Tensor first = at::relu(at::linear(items(), weight({16, 6}, 0.7, kFloat))).to(half);
    const at::Tensor second = at::relu(at::linear(first, weight({16, 16}, 0.9, half)));
    const at::Tensor expected = at::linear(second.to(kFloat), weight({5, 16}, 1.3, kFloat)) * 3.0;
    EXPECT_LT(at::abs(rowsOf(**model) - expected.to(at::kDouble)).max().item().toDouble(), 1e-5);
    EXPECT_TRUE(hasNote(**model, half == at::kHalf ? "in float16" : "in bfloat16"));
    EXPECT_EQ((*model)->audit().number_type, "Float");
  }
}

TEST(LowerPrecision, AFirstLayerInItGetsItsInputInIt) {
  const auto model = opened(
      "  h = torch.relu(torch.linear(x, self.a)).to(6)\n"
      "  h = torch.relu(torch.linear(h, self.b))\n"
      "  return torch.linear(h, self.c) * 3.0\n",
      at::kBFloat16, kFloat, kFloat);
  ASSERT_OK(model);
  const at::Tensor first =
      at::relu(at::linear(items().to(at::kBFloat16), weight({16, 6}, 0.7, at::kBFloat16)));
  const at::Tensor second = at::relu(at::linear(first.to(kFloat), weight({16, 16}, 0.9, kFloat)));
  const at::Tensor expected = at::linear(second, weight({5, 16}, 1.3, kFloat)) * 3.0;
  EXPECT_LT(at::abs(rowsOf(**model) - expected.to(at::kDouble)).max().item().toDouble(), 1e-5);
}

TEST(LowerPrecision, WholeNetworksInItAreComputedInFloat32) {
  const auto model = opened(
      "  h = torch.relu(torch.linear(x, self.a))\n"
      "  h = torch.dropout(torch.relu(torch.linear(h, self.b)), 0.3, self.training)\n"
      "  return torch.linear(h, self.c) * 3.0\n",
      at::kBFloat16, at::kBFloat16, at::kBFloat16);
  ASSERT_OK(model);
  const auto promoted = [](std::vector<std::int64_t> shape, double step) {
    return weight(std::move(shape), step, at::kBFloat16).to(kFloat);
  };
  at::Tensor expected = at::relu(at::linear(items(), promoted({16, 6}, 0.7)));
  expected = at::relu(at::linear(expected, promoted({16, 16}, 0.9)));
  expected = at::linear(expected, promoted({5, 16}, 1.3)) * 3.0;
  EXPECT_LT(at::abs(rowsOf(**model) - expected.to(at::kDouble)).max().item().toDouble(), 1e-5);
  EXPECT_TRUE(hasNote(**model, "stored in half precision"));
  EXPECT_FALSE(hasNote(**model, "parts of it"));
}

/// Also where one of several outputs is used, for which the program is prepared twice.
TEST(LowerPrecision, IsTheSameForOneOfSeveralOutputs) {
  const test::TempDir folder;
  torch::jit::Module module("net");
  module.register_parameter("a", numbers({5, 6}, 0.7).to(at::kHalf), false);
  module.define(
      "def forward(self, x):\n  h = torch.linear(x, self.a)\n  return h, h.sum(1).half()\n");
  module.save(folder.file("net.pt"),
              {{"metadata.json", R"({"input_size": [6], "output": "logits"})"}});
  RunContext context;
  const auto model = loadModel(folder.file("net.pt"), {}, context);
  ASSERT_OK(model);
  EXPECT_EQ((*model)->audit().number_type, "Half");
  EXPECT_TRUE(hasNote(**model, "stored in half precision"));
  const at::Tensor expected =
      at::linear(items(), weight({5, 6}, 0.7, at::kHalf).to(kFloat)).to(at::kDouble);
  EXPECT_LT(at::abs(rowsOf(**model) - expected).max().item().toDouble(), 1e-5);
}

/// `with torch.autocast("cpu", torch.bfloat16)` in a scripted program: rows of this program on this
/// input from PyTorch 2.11.
TEST(LowerPrecision, AutocastOfTheProgramIsDone) {
  RunContext context;
  const auto path = test::sourceDir() / "tests/data/models/autocast_scripted.pt";
  const auto model = loadModel(path.string(), {}, context);
  ASSERT_OK(model);
  const auto expected =
      nlohmann::json::parse(test::readBytes(test::sourceDir() / "tests/data/models/autocast.json"))
          .get<std::vector<double>>();
  const at::Tensor rows = rowsOf(**model);
  ASSERT_EQ(rows.numel(), static_cast<std::int64_t>(expected.size()));
  EXPECT_LT(at::abs(rows.flatten() - at::tensor(expected, at::kDouble)).max().item().toDouble(),
            1e-5);
  EXPECT_TRUE(hasNote(**model, "parts of it in bfloat16"));
  EXPECT_EQ((*model)->audit().unrepeatable, "");
}

}  // namespace
}  // namespace dubito
