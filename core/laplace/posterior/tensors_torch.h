// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/Functions.h>
#include <ATen/core/Tensor.h>

#include <memory>

#include "core/base/array.h"

namespace dubito {

/// The elements of `array` as a tensor that shares its memory: to be read only, and no longer than
/// the array lives.
template <class T>
[[nodiscard]] at::Tensor tensorView(const Array<T>& array) {
  return at::from_blob(const_cast<T*>(array.data()), array.shape(),
                       c10::CppTypeToScalarType<T>::value);
}

/// The elements of a tensor on the processor as an array that keeps the tensor; of its type where
/// that is T and it is contiguous, else of a copy.
template <class T>
[[nodiscard]] Array<T> arrayOf(const at::Tensor& values) {
  const auto kept = std::make_shared<const at::Tensor>(
      values.detach().to(c10::CppTypeToScalarType<T>::value).contiguous());
  return Array<T>::view(kept->sizes().vec(), kept->template const_data_ptr<T>(), kept);
}

}  // namespace dubito
