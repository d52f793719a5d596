// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>

#include "core/train/layers_torch.h"
#include "core/train/network_torch.h"

namespace dubito {
namespace {

using torch::jit::Module;

constexpr std::int64_t kKernel = 5;
constexpr std::int64_t kMinSide = 16;  // two 5 x 5 convolutions and 2 x 2 poolings leave 1

constexpr const char* kLenet = R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.max_pool2d(torch.relu(self.conv1.forward(x)), [2, 2])
    x = torch.max_pool2d(torch.relu(self.conv2.forward({maps})), [2, 2])
    x = self.dropout1.forward(torch.flatten(x, 1))
    x = self.dropout2.forward(torch.relu(self.fc1.forward(x)))
    return self.fc2.forward(x)
)";
constexpr const char* kMlp = R"(
def forward(self, x: Tensor) -> Tensor:
    x = self.dropout1.forward(torch.relu(self.fc1.forward(torch.flatten(x, 1))))
    x = self.dropout2.forward(torch.relu(self.fc2.forward(x)))
    return self.fc3.forward(x)
)";

Module buildLenet(const TrainOptions& options, const std::vector<std::int64_t>& input_shape,
                  std::int64_t classes, const at::Generator& generator, DropoutDesign& dropout) {
  const std::int64_t filters1 = scaled(20, options.width);
  const std::int64_t filters2 = scaled(50, options.width);
  const std::int64_t units = scaled(400, options.width);
  const auto after = [](std::int64_t side) { return (side - kKernel + 1) / 2; };
  const std::int64_t flat = filters2 * after(after(input_shape[1])) * after(after(input_shape[2]));
  Module network = emptyModule("lenet");
  const auto add = [&](const std::string& name, const std::vector<std::int64_t>& shape,
                       const char* source) {
    network.register_module(name, weightedLayer(name, shape, source, generator));
  };
  const auto drop = [&](const std::string& name, const std::string& before, std::int64_t inputs,
                        bool channels) {
    network.register_module(name,
                            dropout.layer({name, before + ".weight", inputs, channels}, name));
  };
  add("conv1", {filters1, input_shape[0], kKernel, kKernel}, kConvolutionSource);
  if (options.drop_channels) {
    drop("dropout0", "conv2", filters1, true);
  }
  add("conv2", {filters2, filters1, kKernel, kKernel}, kConvolutionSource);
  drop("dropout1", "fc1", flat, false);
  add("fc1", {units, flat}, kLinearSource);
  drop("dropout2", "fc2", units, false);
  add("fc2", {classes, units}, kLinearSource);
  network.define(fmt::format(
      kLenet, fmt::arg("maps", options.drop_channels ? "self.dropout0.forward(x)" : "x")));
  return network;
}

Module buildMlp(const TrainOptions& options, const std::vector<std::int64_t>& input_shape,
                std::int64_t classes, const at::Generator& generator, DropoutDesign& dropout) {
  const std::int64_t units = scaled(256, options.width);
  const std::int64_t inputs =
      std::accumulate(input_shape.begin(), input_shape.end(), std::int64_t{1}, std::multiplies<>());
  Module network = emptyModule("mlp");
  network.register_module("fc1", weightedLayer("fc1", {units, inputs}, kLinearSource, generator));
  network.register_module("dropout1",
                          dropout.layer({"dropout1", "fc2.weight", units, false}, "dropout1"));
  network.register_module("fc2", weightedLayer("fc2", {units, units}, kLinearSource, generator));
  network.register_module("dropout2",
                          dropout.layer({"dropout2", "fc3.weight", units, false}, "dropout2"));
  network.register_module("fc3", weightedLayer("fc3", {classes, units}, kLinearSource, generator));
  network.define(kMlp);
  return network;
}

}  // namespace

Expected<Module> buildNetwork(const TrainOptions& options,
                              const std::vector<std::int64_t>& input_shape, std::int64_t classes,
                              const at::Generator& generator, DropoutDesign& dropout) {
  if (options.architecture == "mlp") {
    return buildMlp(options, input_shape, classes, generator, dropout);
  }
  if (input_shape.size() != 3) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("a {} needs images, but the items are vectors; train an mlp",
                            options.architecture));
  }
  if (options.architecture == "resnet") {
    return buildResidualNetwork(options, input_shape, classes, generator, dropout);
  }
  if (std::min(input_shape[1], input_shape[2]) < kMinSide) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("a lenet needs images of at least {0} x {0} pixels, but the items are "
                            "{1} x {2}; train an mlp",
                            kMinSide, input_shape[2], input_shape[1]));
  }
  return buildLenet(options, input_shape, classes, generator, dropout);
}

DropoutDesign dropoutDesign(const TrainOptions& options) {
  return {dropoutKindOf(options.dropout), effectiveDropRate(options)};
}

}  // namespace dubito
