// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/dataset_fingerprint.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/base/overloaded.h"
#include "core/data/sources/dataset_kinds.h"
#include "core/data/sources/wrapped_spec.h"
#include "core/kernels/number_hash.h"

namespace dubito {
namespace {

constexpr std::int64_t kHashedRows = 16;

void addSample(const Sample& sample, NumberHash& hash) {
  const auto add = [&hash](const auto& array, const auto& number) {
    for (const std::int64_t extent : array.shape()) {
      hash.add(static_cast<std::uint64_t>(extent));
    }
    for (const auto value : array.values()) {
      hash.add(number(value));
    }
  };
  std::visit(Overloaded{[&](const Image8& image) {
                          add(image.pixels,
                              [](std::uint8_t value) -> std::uint64_t { return value; });
                        },
                        [&](const Array<float>& values) {
                          add(values, [](float value) -> std::uint64_t {
                            return std::bit_cast<std::uint32_t>(value);
                          });
                        }},
             sample);
}

}  // namespace

Expected<std::string> datasetFingerprint(const std::string& text, RunContext& context) {
  const Expected<DatasetSpec> outer = parseDatasetSpec(text).and_then(resolveScheme);
  const auto specs = outer ? wrappedSpecs(*outer) : failWith(outer);
  if (!specs) {
    return failWith(specs);
  }
  if (specs->empty()) {
    return std::string();
  }
  const DatasetSpec& spec = specs->back();
  const Expected<DatasetPtr> whole = findDatasetKind(spec.scheme)->open(spec, context);
  if (!whole) {
    return failWith(whole);
  }
  const std::int64_t rows = std::min(kHashedRows, (*whole)->size());
  NumberHash hash;
  for (std::int64_t row = 0; row < rows; ++row) {
    if ((*whole)->ids()[static_cast<std::size_t>(row)] != row) {
      return std::string();
    }
    const Expected<Sample> sample = (*whole)->read(row);
    if (!sample) {
      return failWith(sample);
    }
    addSample(*sample, hash);
  }
  return hash.hex();
}

}  // namespace dubito
