// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/wrapped_spec.h"

#include <optional>

#include "core/data/sources/dataset_kinds.h"

namespace dubito {
namespace {

constexpr std::size_t kMaxWrappers = 8;

}  // namespace

Expected<std::vector<DatasetSpec>> wrappedSpecs(const DatasetSpec& spec) {
  std::vector<DatasetSpec> specs{spec};
  while (specs.size() <= kMaxWrappers) {
    const DatasetKind* const kind = findDatasetKind(specs.back().scheme);
    const auto text = kind == nullptr ? Expected<std::optional<std::string>>(std::nullopt)
                                      : kind->wrapped(specs.back());
    if (!text) {
      return failWith(text);
    }
    if (!*text) {
      return specs;
    }
    Expected<DatasetSpec> inner = parseDatasetSpec(**text).and_then(resolveScheme);
    if (!inner) {
      return failWith(inner);
    }
    specs.push_back(*std::move(inner));
  }
  return std::vector<DatasetSpec>();
}

}  // namespace dubito
