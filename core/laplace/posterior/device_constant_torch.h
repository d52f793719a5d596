// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <utility>

namespace dubito {

/// A tensor of the host that computations on a device read: copied there on first use. One
/// thread at a time.
class DeviceConstant {
 public:
  DeviceConstant() = default;
  explicit DeviceConstant(at::Tensor on_host) : on_host_(std::move(on_host)) {}

  [[nodiscard]] const at::Tensor& on(c10::Device device) const {
    if (device.is_cpu()) {
      return on_host_;
    }
    if (!on_device_.defined() || on_device_.device() != device) {
      on_device_ = on_host_.to(device);
    }
    return on_device_;
  }

 private:
  at::Tensor on_host_;
  mutable at::Tensor on_device_;
};

}  // namespace dubito
