// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/core/Tensor.h>
#include <fmt/format.h>

#include "core/models/program/program_check_torch.h"
#include "core/models/program/record_tensors_torch.h"

namespace dubito {
namespace {

/// Number of elements from the start of its storage to the last element of a tensor. Strides are
/// not negative.
__int128 elementsReached(const at::Tensor& tensor) {
  __int128 last = tensor.storage_offset();
  for (std::int64_t axis = 0; axis < tensor.dim(); ++axis) {
    last += static_cast<__int128>(tensor.size(axis) - 1) * tensor.stride(axis);
  }
  return tensor.numel() == 0 ? 0 : last + 1;
}

}  // namespace

void RecordTensors::check(const c10::IValue& value) const {
  value.visit([this](const c10::IValue& part) {
    if (!part.isTensor() || !part.toTensor().defined() || !part.toTensor().has_storage()) {
      return false;
    }
    const at::Tensor& tensor = part.toTensor();
    const std::size_t claimed = tensor.storage().nbytes();
    const auto record = bytes_at_.find(tensor.storage().data());
    const std::size_t bytes = record == bytes_at_.end() ? claimed : record->second;
    // A view made while the network runs can reach whatever the storage claims.
    if (claimed > bytes || tensor.storage_offset() < 0 ||
        elementsReached(tensor) * static_cast<__int128>(tensor.itemsize()) >
            static_cast<__int128>(bytes)) {
      throw RefusedProgram(fmt::format("a tensor of {} elements that reaches beyond its {} bytes",
                                       tensor.numel(), bytes));
    }
    return false;
  });
}

}  // namespace dubito
