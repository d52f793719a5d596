// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/train/layers_torch.h"

namespace dubito {

using torch::jit::Module;

namespace {

constexpr std::int64_t kMinResidualSide = 8;  // halved twice, leaves 2

// If a block keeps size and filters, its input is added unchanged; otherwise it is projected.
constexpr const char* kBlock = R"(
def forward(self, x: Tensor) -> Tensor:
    y = torch.relu(self.norm1.forward(self.conv1.forward(x)))
    y = self.norm2.forward(self.conv2.forward({dropped}))
    return torch.relu(y + {shortcut})
)";
constexpr const char* kNetwork = R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.relu(self.norm1.forward(self.conv1.forward(x)))
    x = self.block3.forward(self.block2.forward(self.block1.forward(x)))
    x = self.dropout.forward(torch.mean(x, [2, 3]))
    return self.fc.forward(x)
)";

/// Adds layers to a module; their types are named after it, so that no two types share a name.
struct Builder {
  std::string name;
  const at::Generator& generator;
  Module module = emptyModule(name);

  void convolution(const std::string& layer, std::int64_t out, std::int64_t in, std::int64_t side,
                   std::int64_t stride) {
    const std::string source = fmt::format(
        "def forward(self, x: Tensor) -> Tensor:\n"
        "    return torch.conv2d(x, self.weight, None, [{0}, {0}], [{1}, {1}])\n",
        stride, side / 2);
    module.register_module(layer, weightedLayer(name + "_" + layer, {out, in, side, side}, source,
                                                generator, /*with_bias=*/false));
  }
  void norm(const std::string& layer, std::int64_t channels) {
    module.register_module(layer, batchNormLayer(name + "_" + layer, channels));
  }
};

struct BlockShape {
  std::int64_t in = 0;
  std::int64_t out = 0;
  std::int64_t stride = 1;
};

/// `dropout`: between the convolutions; null: none.
Module buildBlock(const std::string& name, const BlockShape& shape, const at::Generator& generator,
                  DropoutDesign* dropout, bool drop_channels) {
  Builder block{name, generator};
  block.convolution("conv1", shape.out, shape.in, 3, shape.stride);
  block.norm("norm1", shape.out);
  block.convolution("conv2", shape.out, shape.out, 3, 1);
  block.norm("norm2", shape.out);
  std::string shortcut = "x";
  if (shape.in != shape.out || shape.stride != 1) {
    block.convolution("conv3", shape.out, shape.in, 1, shape.stride);
    block.norm("norm3", shape.out);
    shortcut = "self.norm3.forward(self.conv3.forward(x))";
  }
  std::string dropped = "y";
  if (dropout != nullptr) {
    block.module.register_module(
        "dropout",
        dropout->layer({name + ".dropout", name + ".conv2.weight", shape.out, drop_channels},
                       name + "_dropout"));
    dropped = "self.dropout.forward(y)";
  }
  block.module.define(
      fmt::format(kBlock, fmt::arg("dropped", dropped), fmt::arg("shortcut", shortcut)));
  return block.module;
}

}  // namespace

Expected<Module> buildResidualNetwork(const TrainOptions& options,
                                      const std::vector<std::int64_t>& input_shape,
                                      std::int64_t classes, const at::Generator& generator,
                                      DropoutDesign& dropout) {
  if (std::min(input_shape[1], input_shape[2]) < kMinResidualSide) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("a resnet needs images of at least {0} x {0} pixels, but the items are "
                            "{1} x {2}; train an mlp",
                            kMinResidualSide, input_shape[2], input_shape[1]));
  }
  const std::array<std::int64_t, 3> filters = {scaled(16, options.width), scaled(32, options.width),
                                               scaled(64, options.width)};
  Builder network{"resnet", generator};
  network.convolution("conv1", filters[0], input_shape[0], 3, 1);
  network.norm("norm1", filters[0]);
  // Pixels of a map are alike, so that separate rates pay only for whole maps.
  const bool drop_channels = options.drop_channels || learnsRates(dropout.kind());
  const auto block = [&](const std::string& name, const BlockShape& shape,
                         DropoutDesign* of_block) {
    network.module.register_module(name,
                                   buildBlock(name, shape, generator, of_block, drop_channels));
  };
  block("block1", {filters[0], filters[0], 1}, nullptr);
  block("block2", {filters[0], filters[1], 2}, nullptr);
  // Dropout is late in the network, so that everything before it runs once for all draws.
  block("block3", {filters[1], filters[2], 2}, &dropout);
  network.module.register_module(
      "dropout", dropout.layer({"dropout", "fc.weight", filters[2], false}, "resnet_dropout"));
  network.module.register_module(
      "fc", weightedLayer("fc", {classes, filters[2]}, kLinearSource, generator));
  network.module.define(kNetwork);
  return network.module;
}

}  // namespace dubito
