// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/confine/confine.h"

#include <fmt/format.h>

#include "core/confine/confined_calls.h"
#include "core/confine/confined_files.h"

namespace dubito {

std::string ConfinementState::missing() const {
  if (files && system_calls) {
    return {};
  }
  return fmt::format(
      "{}{}{}", files ? "" : "files are not confined (this needs Landlock, Linux 5.13 or later)",
      files || system_calls ? "" : "; ",
      system_calls ? "" : "system calls are not confined (this needs libseccomp)");
}

ConfinementState availableConfinement() {
  return {.files = canConfineFiles(), .system_calls = canConfineCalls()};
}

Expected<ConfinementState> confineProcess(const Confinement& confinement) {
  const ConfinementState available = availableConfinement();
  if (available.files) {
    if (Status confined = confineFiles(confinement); !confined) {
      return failWith(confined);
    }
  }
  if (available.system_calls) {
    if (Status confined = confineCalls(); !confined) {
      return failWith(confined);
    }
  }
  return available;
}

}  // namespace dubito
