// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/ops/from_blob.h>

#include <cstdint>

namespace dubito {

/// Copies `count` elements from pageable host memory to a tensor on `device`. Returns an undefined
/// tensor if `host` is null. CUDA has read such memory when it returns from the copy, so that
/// nothing waits for the device.
template <class T>
[[nodiscard]] at::Tensor onDevice(const T* host, std::int64_t count, at::Device device) {
  if (host == nullptr) {
    return {};
  }
  return at::from_blob(const_cast<T*>(host), {count}, c10::CppTypeToScalarType<T>::value)
      .to(at::TensorOptions(device), /*non_blocking=*/true);
}

/// Copies all elements of `from`, of any shape, to host memory at `to`, in order.
template <class T>
void copyBack(const at::Tensor& from, T* to) {
  at::from_blob(to, from.sizes(), c10::CppTypeToScalarType<T>::value).copy_(from);
}

}  // namespace dubito
