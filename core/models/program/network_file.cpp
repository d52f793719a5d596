// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/in_quotes.h"
#include "core/models/program/network_file_torch.h"

namespace dubito {
namespace {

constexpr std::size_t kMaxListed = 16;

std::string describe(const StatedTensor& tensor) {
  std::string text = inQuotes(tensor.name);
  if (!tensor.shape.empty()) {
    std::vector<std::string> sizes;
    for (const std::int64_t size : tensor.shape) {
      sizes.push_back(size == 0 ? "any" : std::to_string(size));
    }
    text += fmt::format(" [{}]", fmt::join(sizes, ", "));
  }
  return tensor.type.empty() ? text : text + " " + tensor.type;
}

}  // namespace

std::string describe(const std::vector<StatedTensor>& tensors) {
  std::vector<std::string> texts;
  for (const StatedTensor& tensor : tensors) {
    if (texts.size() == kMaxListed) {
      texts.push_back(fmt::format("and {} more", tensors.size() - kMaxListed));
      break;
    }
    texts.push_back(describe(tensor));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace dubito
