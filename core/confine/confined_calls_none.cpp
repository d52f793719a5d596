// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/confine/confined_calls.h"

namespace dubito {

bool canConfineCalls() {
  return false;
}

Status confineCalls() {
  return fail(ErrorCode::kUnsupported,
              "this build cannot confine system calls; install libseccomp and build again");
}

}  // namespace dubito
