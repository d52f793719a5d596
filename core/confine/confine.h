// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/expected.h"

namespace dubito {

/// What a confined process may still reach, besides the libraries it is made of, the devices of
/// NVIDIA and what the kernel says about the machine and about the process itself.
struct Confinement {
  std::vector<std::string> readable;  ///< files and folders, with what is in them; absent ones too
  std::vector<std::string> writable;  ///< folders, also for new files; files that exist
};

/// What the kernel enforces.
struct ConfinementState {
  bool files = false;         ///< only the named files can be opened (Landlock, Linux 5.13)
  bool system_calls = false;  ///< no network, no other programs, no rights changed (seccomp)
  /// What is missing and why, one sentence; empty if nothing is.
  [[nodiscard]] std::string missing() const;
};

/// What confineProcess() can enforce here, found without confining anything.
[[nodiscard]] ConfinementState availableConfinement();

/// Confines this thread and the threads it starts, until the process ends: files that are not named
/// can no longer be opened, changed or listed, and system calls that reach the network or other
/// processes, start programs, or change rights fail with EPERM. Call it before the first thread
/// that may run foreign code starts. Enforces what the kernel supports, and returns what that is.
/// Errors: a path that cannot be opened for another reason than that it does not exist; a kernel
/// that supports a protection but does not grant it.
[[nodiscard]] Expected<ConfinementState> confineProcess(const Confinement& confinement);

}  // namespace dubito
