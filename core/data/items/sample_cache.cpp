// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/items/sample_cache.h"

#include "core/base/overloaded.h"

namespace dubito {
namespace {

const void* dataOf(const Sample& sample) {
  return std::visit(
      Overloaded{[](const Image8& image) -> const void* { return image.pixels.data(); },
                 [](const Array<float>& values) -> const void* { return values.data(); }},
      sample);
}

std::int64_t bytesOf(const Sample& sample) {
  return std::visit(Overloaded{[](const Image8& image) { return image.pixels.size(); },
                               [](const Array<float>& values) {
                                 return values.size() * static_cast<std::int64_t>(sizeof(float));
                               }},
                    sample);
}

}  // namespace

SampleCache::SampleCache(const Dataset& base, std::int64_t max_bytes)
    : base_(base), max_bytes_(max_bytes) {}

bool SampleCache::isInMemory(std::int64_t index, const Sample& sample) const {
  const auto again = base_.read(index);
  return again && dataOf(*again) == dataOf(sample);
}

Expected<Sample> SampleCache::read(std::int64_t index) const {
  const auto at = static_cast<std::size_t>(index);
  {
    const std::scoped_lock lock(mutex_);
    if (at < kept_.size() && kept_[at]) {
      return *kept_[at];
    }
  }
  Expected<Sample> sample = base_.read(index);
  if (!sample) {
    return sample;
  }
  const std::scoped_lock lock(mutex_);
  if (!in_memory_) {
    in_memory_ = isInMemory(index, *sample);
  }
  const std::int64_t bytes = bytesOf(*sample);
  if (*in_memory_ || kept_bytes_ + bytes > max_bytes_) {
    return sample;
  }
  kept_.resize(static_cast<std::size_t>(base_.size()));
  if (!kept_[at]) {
    kept_[at] = *sample;
    kept_bytes_ += bytes;
  }
  return sample;
}

std::int64_t SampleCache::keptBytes() const {
  const std::scoped_lock lock(mutex_);
  return kept_bytes_;
}

}  // namespace dubito
