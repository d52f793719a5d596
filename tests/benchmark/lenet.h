// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/ATen.h>
#include <torch/csrc/jit/api/module.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/support/temp_dir.h"

namespace dubito::test {

inline constexpr const char* kLenet = R"(
def features(self, x: Tensor) -> Tensor:
    x = torch.max_pool2d(torch.relu(torch.conv2d(x, self.w1, self.b1)), [2, 2])
    x = torch.max_pool2d(torch.relu(torch.conv2d(x, self.w2, self.b2)), [2, 2])
    return torch.relu(torch.linear(torch.flatten(x, 1), self.w3, self.b3))

def forward(self, x: Tensor) -> Tensor:
    x = torch.dropout(self.features(x), 0.5, self.training)
    return torch.linear(x, self.w4, self.b4)
)";

/// A LeNet with 20 and 50 filters and 500 units, its only dropout before the head.
inline torch::jit::Module lenet() {
  torch::jit::Module module("lenet");
  module.register_attribute("training", c10::BoolType::get(), true);
  const auto add = [&](const char* weight, const char* bias, std::vector<std::int64_t> shape) {
    const std::int64_t outputs = shape.front();
    const at::Tensor values = at::randn(shape);
    const double fan_in = static_cast<double>(values.numel() / outputs);
    module.register_parameter(weight, values / std::sqrt(fan_in), false);
    module.register_parameter(bias, at::zeros({outputs}), false);
  };
  add("w1", "b1", {20, 1, 5, 5});
  add("w2", "b2", {50, 20, 5, 5});
  add("w3", "b3", {500, 800});
  add("w4", "b4", {10, 500});
  module.define(kLenet);
  return module;
}

/// Saves it, in eval mode and with metadata, into `folder`; the path.
inline std::string savedLenet(const TempDir& folder) {
  torch::jit::Module network = lenet();
  network.eval();
  const std::string path = folder.file("lenet.pt");
  network.save(path, {{"metadata.json",
                       R"({"name": "lenet", "channels": 1, "input_size": [28, 28],
                           "scale": 0.00392156862745098, "output": "logits"})"}});
  return path;
}

}  // namespace dubito::test
