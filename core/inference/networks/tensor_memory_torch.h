// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <cstdint>
#include <memory>

namespace dubito {

/// Measures the memory of tensors that this thread, and the backward passes it starts, allocate
/// while the object lives.
class TensorMemoryMeter {
 public:
  TensorMemoryMeter();

  /// Largest sum of bytes allocated since the start, less what was freed, on the processor and on
  /// all other devices.
  [[nodiscard]] std::int64_t peakBytes() const;
  [[nodiscard]] std::int64_t peakBytesOnDevices() const;

 private:
  class Report;
  std::shared_ptr<Report> report_;
  c10::DebugInfoGuard guard_;
};

}  // namespace dubito
