// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace dubito {

/// Keeps this program alive if another program truncates a mapped file: the first access beyond the
/// new end, which raises SIGBUS, reads zeros instead, and broken() becomes true. The first guard
/// installs a process-wide handler that forwards other faults to the previous handler.
class MappingGuard {
 public:
  /// Guards the mapping [data, data + size), which starts at a page boundary.
  MappingGuard(const void* data, std::size_t size);
  /// Destroy before the memory is unmapped.
  ~MappingGuard();
  MappingGuard(const MappingGuard&) = delete;
  MappingGuard& operator=(const MappingGuard&) = delete;

  /// True once zeros replace truncated bytes.
  [[nodiscard]] bool broken() const;

  struct Slot;  ///< the handler's view of a mapping

 private:
  Slot* slot_;
};

}  // namespace dubito
