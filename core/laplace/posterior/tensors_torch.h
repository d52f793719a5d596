// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/Functions.h>
#include <ATen/core/Tensor.h>

#include <memory>

#include "core/base/array.h"

namespace dubito {

/// A tensor that shares the memory of `array`. It is read-only and valid only as long as the array.
template <class T>
[[nodiscard]] at::Tensor tensorView(const Array<T>& array) {
  return at::from_blob(const_cast<T*>(array.data()), array.shape(),
                       c10::CppTypeToScalarType<T>::value);
}

/// The elements of a CPU tensor as an array that keeps the tensor alive. They are copied only if
/// they are not contiguous or not of type T.
template <class T>
[[nodiscard]] Array<T> arrayOf(const at::Tensor& values) {
  const auto kept = std::make_shared<const at::Tensor>(
      values.detach().to(c10::CppTypeToScalarType<T>::value).contiguous());
  return Array<T>::view(kept->sizes().vec(), kept->template const_data_ptr<T>(), kept);
}

}  // namespace dubito
