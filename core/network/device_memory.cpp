// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/device_memory.h"

#include <c10/core/CachingDeviceAllocator.h>

#include "core/kernels/cuda_library.h"

namespace dubito {
namespace {

/// Null for the CPU, and before the GPU was first used.
c10::DeviceAllocator* allocatorOf(const Device& device) {
  if (!device.isCuda() || !loadCudaLibrary()) {
    return nullptr;
  }
  auto* const allocator = c10::getDeviceAllocator(c10::kCUDA);
  return allocator->initialized() ? allocator : nullptr;
}

}  // namespace

std::int64_t peakDeviceBytes(const Device& device) {
  auto* const allocator = allocatorOf(device);
  if (allocator == nullptr) {
    return 0;
  }
  constexpr auto kAll = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
  return allocator->getDeviceStats(static_cast<c10::DeviceIndex>(device.index))
      .allocated_bytes[kAll]
      .peak;
}

void resetPeakDeviceBytes(const Device& device) {
  if (auto* const allocator = allocatorOf(device)) {
    allocator->resetPeakStats(static_cast<c10::DeviceIndex>(device.index));
  }
}

}  // namespace dubito
