// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/output_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/in_quotes.h"

namespace dubito {

std::string outputShapeText(std::span<const std::int64_t> shape, std::int64_t items) {
  std::string text;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    text += axis == 0 && shape[axis] == items
                ? "N"
                : fmt::format("{}{}", axis == 0 ? "" : ", ", shape[axis]);
  }
  return text;
}

std::vector<OutputOption> outputOptions(const ModelAudit& audit) {
  const auto used = std::ranges::find_if(audit.outputs, &OutputTensor::used);
  const std::int64_t items =
      used == audit.outputs.end() || used->shape.empty() ? 0 : used->shape.front();
  std::vector<OutputOption> options;
  for (const OutputTensor& output : audit.outputs) {
    options.push_back({output.name, outputShapeText(output.shape, items),
                       output.shape.size() == 2 && output.shape[0] == items});
  }
  return options;
}

std::string describeOption(std::size_t position, const OutputOption& option) {
  return fmt::format("{} {} [{}]", position, inQuotes(option.name), option.shape);
}

}  // namespace dubito
