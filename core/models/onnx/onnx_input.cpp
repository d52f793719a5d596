// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/onnx/onnx_input.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/in_quotes.h"
#include "core/models/onnx/refused_onnx.h"
#include "core/models/onnx/translated_network_torch.h"

namespace dubito {
namespace {

constexpr std::size_t kMaxListed = 16;

bool isReal(OnnxType type) {
  return type == OnnxType::kFloat || type == OnnxType::kDouble || type == OnnxType::kFloat16 ||
         type == OnnxType::kBfloat16;
}

bool isChannelCount(std::int64_t size) {
  return size == 1 || size == 3;
}

std::string list(const std::vector<OnnxValueInfo>& inputs) {
  std::vector<std::string> texts;
  for (const OnnxValueInfo& input : inputs) {
    if (texts.size() == kMaxListed) {
      texts.emplace_back("...");
      break;
    }
    texts.push_back(describe(input));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

std::string describe(const OnnxValueInfo& info) {
  if (!info.is_tensor) {
    return inQuotes(info.name) + " (no tensor)";
  }
  std::vector<std::string> sizes;
  for (const OnnxSize& size : info.shape.value_or(std::vector<OnnxSize>())) {
    sizes.push_back(size.size >= 0      ? std::to_string(size.size)
                    : size.name.empty() ? std::string("?")
                                        : shownText(size.name, 30));
  }
  return fmt::format("{} {}{}", inQuotes(info.name),
                     info.shape ? fmt::format("[{}] ", fmt::join(sizes, ", ")) : std::string(),
                     nameOf(info.type));
}

OnnxInput classifierInput(const OnnxGraph& graph) {
  const std::vector<OnnxValueInfo> inputs = inputsOf(graph);
  if (inputs.empty()) {
    refuseUnsupported("the ONNX file states no input; a classifier must take one tensor");
  }
  if (inputs.size() > 1) {
    refuseUnsupported(
        fmt::format("it has {} inputs ({}), and items are one image or vector each; wrap the "
                    "network in a module that takes one tensor, and export that",
                    inputs.size(), list(inputs)));
  }
  const OnnxValueInfo& info = inputs.front();
  if (!info.is_tensor || !isReal(info.type)) {
    refuseUnsupported(fmt::format(
        "its input {} is not a tensor of real numbers, and items are images or vectors; wrap the "
        "network in a module that converts them, and export that",
        describe(info)));
  }
  OnnxInput input;
  input.name = inQuotes(info.name);
  if (!info.shape) {
    return input;
  }
  const std::vector<OnnxSize>& shape = *info.shape;
  if (shape.size() < 2) {
    refuseUnsupported(fmt::format(
        "its input {} has no axis of items; export it with inputs [N, ...]", describe(info)));
  }
  input.batch = std::max<std::int64_t>(shape.front().size, 0);
  for (std::size_t i = 1; i < shape.size(); ++i) {
    input.item_shape.push_back(std::max<std::int64_t>(shape[i].size, 0));
  }
  if (shape.size() == 4 && isChannelCount(shape[3].size) && !isChannelCount(shape[1].size)) {
    input.has_channels_last = true;
    std::rotate(input.item_shape.begin(), input.item_shape.end() - 1, input.item_shape.end());
  }
  return input;
}

}  // namespace dubito
