// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/items/sample_hash.h"

#include <cstring>
#include <span>

#include "core/base/overloaded.h"
#include "core/kernels/number_hash.h"

namespace dubito {
namespace {

/// Kinds of samples; part of stored hashes.
enum SampleKind : std::uint64_t { kImageSample = 1, kNumberSample = 2 };

void addShape(std::uint64_t kind, const std::vector<std::int64_t>& shape, NumberHash& hash) {
  hash.add(kind);
  for (const std::int64_t extent : shape) {
    hash.add(static_cast<std::uint64_t>(extent));
  }
}

/// Eight bytes at a time, the rest filled with zeros.
void addBytes(std::span<const std::byte> bytes, NumberHash& hash) {
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(sizeof(word), bytes.size() - at));
    hash.add(word);
  }
}

}  // namespace

std::string sampleHash(const Sample& sample) {
  NumberHash hash;
  std::visit(Overloaded{[&](const Image8& image) {
                          addShape(kImageSample, image.pixels.shape(), hash);
                          addBytes(std::as_bytes(image.pixels.values()), hash);
                        },
                        [&](const Array<float>& numbers) {
                          addShape(kNumberSample, numbers.shape(), hash);
                          addBytes(std::as_bytes(numbers.values()), hash);
                        }},
             sample);
  return hash.hex();
}

}  // namespace dubito
