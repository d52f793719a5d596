// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace dubito {

/// Keeps this program running if another program truncates a mapped file: instead of terminating
/// the program by SIGBUS, an access beyond the new end reads zeros, and broken() becomes true. The
/// first guard installs a process-wide signal handler, which forwards all other faults to the
/// previous handler.
class MappingGuard {
 public:
  /// Guards the mapping [data, data + size), which starts at a page boundary.
  MappingGuard(const void* data, std::size_t size);
  /// Destroy before the memory is unmapped.
  ~MappingGuard();
  MappingGuard(const MappingGuard&) = delete;
  MappingGuard& operator=(const MappingGuard&) = delete;

  /// True if zeros have replaced truncated bytes.
  [[nodiscard]] bool broken() const;

  struct Slot;  ///< the mapping as seen by the signal handler

 private:
  Slot* slot_;
};

}  // namespace dubito
