// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/ivalue.h>
#include <c10/core/Allocator.h>

#include <cstddef>
#include <unordered_map>

namespace dubito {

/// Compares unpickled tensors with the records that hold their numbers: torch believes the sizes,
/// strides and storage sizes that a pickle states.
class RecordTensors {
 public:
  /// Notes a record that was read into `data`.
  void add(const at::DataPtr& data, std::size_t bytes) { bytes_at_[data.get()] = bytes; }
  /// Throws RefusedProgram if a tensor in the value leads beyond the bytes of its record.
  void check(const c10::IValue& value) const;

 private:
  std::unordered_map<const void*, std::size_t> bytes_at_;  ///< size of the record at an address
};

}  // namespace dubito
