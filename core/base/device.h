// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"

namespace dubito {

/// The device that stores and processes tensors: the CPU or one CUDA device.
struct Device {
  enum class Kind { kCpu, kCuda };
  Kind kind = Kind::kCpu;
  int index = 0;  ///< of the CUDA device; 0 for the CPU

  [[nodiscard]] bool isCuda() const { return kind == Kind::kCuda; }
  friend bool operator==(const Device&, const Device&) = default;
};

/// Parses "cpu", "cuda" (= "cuda:0") or "cuda:N"; kInvalidArgument for other text.
[[nodiscard]] Expected<Device> parseDevice(const std::string& text);
[[nodiscard]] std::string toString(const Device& device);

/// One CUDA device, as reported by the driver.
struct CudaDeviceInfo {
  int index = 0;
  std::string name;
  std::int64_t memory_bytes = 0;
  int compute_major = 0;
  int compute_minor = 0;
};

/// The CPU and the CUDA devices of this machine.
struct DeviceReport {
  std::string cpu_name;
  int cpu_threads = 0;
  std::int64_t memory_bytes = 0;
  std::vector<CudaDeviceInfo> cuda_devices;
  /// Why CUDA cannot be used (no driver, no device, built without kernels), without a full stop;
  /// empty if CUDA can be used.
  std::string cuda_unavailable_reason;
};

/// Memory that is currently free on a CUDA device, in bytes; 0 if unknown. Creates this process's
/// CUDA context on the device if there is none yet.
[[nodiscard]] std::int64_t freeDeviceMemory(int index);

/// Queries the driver without loading torch. Takes a few milliseconds; never fails.
[[nodiscard]] DeviceReport queryDevices();

}  // namespace dubito
