// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/expected.h"

namespace dubito {

/// Whether this build has libseccomp and the kernel accepts filters.
[[nodiscard]] bool canConfineCalls();

/// From now on, system calls of this thread and of those it starts that reach the network or other
/// processes, start programs, or change rights fail with EPERM. Errors: the kernel refuses.
[[nodiscard]] Status confineCalls();

}  // namespace dubito
