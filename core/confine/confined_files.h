// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/expected.h"
#include "core/confine/confine.h"

namespace dubito {

/// Whether the kernel has Landlock, and it is switched on.
[[nodiscard]] bool canConfineFiles();

/// Confines this thread, and those it starts, to the files of `confinement` and to what every
/// process needs. Errors: see confineProcess.
[[nodiscard]] Status confineFiles(const Confinement& confinement);

}  // namespace dubito
