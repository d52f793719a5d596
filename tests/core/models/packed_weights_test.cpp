// SPDX-License-Identifier: GPL-3.0-or-later
// Networks whose layers contain packed weights because their activations are quantised too.
#include <ATen/Functions.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/frontend/resolver.h>
#include <torch/csrc/jit/frontend/sugared_value.h>

#include "core/models/model.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

/// Resolves `quantized.linear` in source text.
struct QuantizedNames : torch::jit::Resolver {
  std::shared_ptr<torch::jit::SugaredValue> resolveValue(
      const std::string& name, torch::jit::GraphFunction& function,
      const torch::jit::SourceRange& place) override {
    if (name == "quantized") {
      return std::make_shared<torch::jit::BuiltinModule>("quantized");
    }
    return torch::jit::nativeResolver()->resolveValue(name, function, place);
  }
};

c10::IValue packedWeights(std::int64_t outputs, std::int64_t inputs) {
  const at::Tensor weight =
      at::sin(at::arange(outputs * inputs, at::kFloat)).view({outputs, inputs});
  torch::jit::Stack stack = {at::quantize_per_tensor(weight, 0.01, 0, at::kQInt8),
                             at::zeros({outputs})};
  c10::Dispatcher::singleton().findSchemaOrThrow("quantized::linear_prepack", "").callBoxed(stack);
  return stack.at(0);
}

TEST(PackedWeights, OfAQuantisedNetworkSayTheLengthOfItsVectors) {
  const test::TempDir folder;
  torch::jit::Module module("net");
  module.register_attribute("training", c10::BoolType::get(), false);
  const c10::IValue packed = packedWeights(3, 11);
  module.register_attribute("packed", packed.type(), packed);
  module.define(R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.quantize_per_tensor(x, 0.05, 64, 13)
    return torch.dequantize(quantized.linear(x, self.packed, 0.1, 64))
)",
                std::make_shared<QuantizedNames>());
  module.save(folder.file("net.pt"));
  RunContext context;
  const auto model = loadModel(folder.file("net.pt"), {}, context);
  ASSERT_OK(model);
  EXPECT_EQ((*model)->audit().input_shape, std::vector<std::int64_t>{11});
  EXPECT_EQ((*model)->audit().classes, 3);
}

}  // namespace
}  // namespace dubito
