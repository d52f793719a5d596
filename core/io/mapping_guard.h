// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace dubito {

/// Keeps the program alive when another program shortens a file that is mapped: the first access
/// behind the new end, which the system answers with SIGBUS, finds zeros instead, and broken()
/// tells. The first guard installs a handler for the whole process, which hands faults elsewhere on
/// to the handler that was there before.
class MappingGuard {
 public:
  /// Guards the mapping [data, data + size), which starts at a page.
  MappingGuard(const void* data, std::size_t size);
  /// To be called before the memory is unmapped.
  ~MappingGuard();
  MappingGuard(const MappingGuard&) = delete;
  MappingGuard& operator=(const MappingGuard&) = delete;

  /// True once zeros stand in for what the file lost.
  [[nodiscard]] bool broken() const;

  struct Slot;  ///< what the handler sees of a mapping

 private:
  Slot* slot_;
};

}  // namespace dubito
