// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <functional>
#include <memory>

namespace dubito {

/// A copy that may still be on its way to a device.
struct StartedCopy {
  at::Tensor tensor;
  /// Makes everything that the calling thread launches on the device from now on wait for the copy,
  /// without blocking the thread. Call it once, before the tensor is used.
  std::function<void()> join;
};

/// Copies tensors to a device while the device computes.
class DeviceCopier {
 public:
  /// Waits for copies that were started.
  virtual ~DeviceCopier() = default;
  /// Starts to copy a tensor on the CPU; its memory may be reused after the call. Throws if the
  /// device has no memory left. Call from one thread at a time.
  [[nodiscard]] virtual StartedCopy start(const at::Tensor& on_cpu) = 0;
};

/// A copier to the GPU `device`, whose CUDA library must be loaded (prepareCuda); null for the CPU.
/// Copies run on a stream of their own, from page-locked memory. That memory holds one tensor,
/// rounded up to a power of two, and is given back with the copier.
[[nodiscard]] std::unique_ptr<DeviceCopier> makeDeviceCopier(c10::Device device);

}  // namespace dubito
