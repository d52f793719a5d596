// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ops/tensor.h>
#include <fmt/format.h>

#include <string>

#include "core/train/head/head_network_torch.h"
#include "core/train/layers_torch.h"

namespace dubito {

using torch::jit::Module;

Module buildHeadNetwork(const HeadOptions& options, const HeadFrame& frame, std::int64_t classes,
                        const at::Generator& generator, DropoutDesign& dropout) {
  // No type of the backbone, with which the head is saved, begins like this.
  const auto type_name = [](const std::string& layer) { return "dubito_head_" + layer; };
  Module head = emptyModule("dubito_head");
  head.register_buffer("mean", at::tensor(frame.mean));
  head.register_buffer("scale", at::tensor(frame.scale));
  std::string source =
      "def forward(self, h: Tensor) -> Tensor:\n"
      "    h = (h.flatten(1).to(self.mean.dtype) - self.mean) / self.scale\n";
  auto inputs = static_cast<std::int64_t>(frame.mean.size());
  for (std::int64_t i = 1; i <= options.layers; ++i) {
    const bool is_last = i == options.layers;
    const std::int64_t outputs = is_last ? classes : options.units;
    const std::string linear = fmt::format("fc{}", i);
    const std::string drop = fmt::format("dropout{}", i);
    head.register_module(drop, dropout.layer({drop, linear + ".weight", inputs}, type_name(drop)));
    head.register_module(
        linear, weightedLayer(type_name(linear), {outputs, inputs}, kLinearSource, generator));
    const std::string layer = fmt::format("self.{}.forward(self.{}.forward(h))", linear, drop);
    source += is_last ? fmt::format("    return {}\n", layer)
                      : fmt::format("    h = torch.relu({})\n", layer);
    inputs = outputs;
  }
  head.define(source);
  return head;
}

}  // namespace dubito
