// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace dubito::test {

/// What a piece of work cost this process: measured from construction to the call of a member.
class Effort {
 public:
  Effort();
  /// Processor time of all threads. Wall time would blame a busy machine on the reader.
  [[nodiscard]] double processorSeconds() const;
  /// How far the memory in use rose at its highest, in bytes.
  [[nodiscard]] std::int64_t peakBytes() const;

 private:
  double started_seconds_ = 0.0;
  std::int64_t resident_bytes_ = 0;
};

}  // namespace dubito::test
