// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito {

/// Returns to the system what this process has freed but still holds for later allocations. Takes
/// milliseconds, in which other threads may wait for their allocations: for the end of long
/// computations.
void returnFreeMemory();

}  // namespace dubito
