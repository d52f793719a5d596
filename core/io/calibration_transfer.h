// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/run.h"

namespace dubito {

/// Compares network hashes if both are known, otherwise model names.
[[nodiscard]] bool sameNetwork(const RunMeta& a, const RunMeta& b);

/// Whether a threshold or weight that was chosen on one run holds for the other: same method,
/// options and network. An ensemble's options are its members' file names, which differ between
/// datasets, so they are not compared; neither are the scenes of a context run. (Which runs Compare
/// takes for one with several seeds: core/analysis/comparison.h.)
[[nodiscard]] bool calibrationTransfers(const RunMeta& a, const RunMeta& b);

}  // namespace dubito
