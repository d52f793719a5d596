// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/run.h"

namespace dubito {

/// Compares network hashes if both are known, otherwise model names.
[[nodiscard]] bool sameNetwork(const RunMeta& a, const RunMeta& b);

/// Same method, options and network: a threshold chosen on one run then holds for the other. An
/// ensemble's options are its members' file names, which differ between datasets, so they are not
/// compared; neither are the scenes of a context run.
[[nodiscard]] bool sameMethod(const RunMeta& a, const RunMeta& b);

}  // namespace dubito
