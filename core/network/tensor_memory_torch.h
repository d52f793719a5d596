// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <cstdint>
#include <memory>

namespace dubito {

/// Measures tensor memory allocated during its lifetime by this thread and the backward passes it
/// starts.
class TensorMemoryMeter {
 public:
  TensorMemoryMeter();

  /// Peak of bytes allocated minus bytes freed since construction, on the CPU.
  [[nodiscard]] std::int64_t peakBytes() const;
  /// The same for all other devices together.
  [[nodiscard]] std::int64_t peakBytesOnDevices() const;

 private:
  class Report;
  std::shared_ptr<Report> report_;
  c10::DebugInfoGuard guard_;
};

}  // namespace dubito
