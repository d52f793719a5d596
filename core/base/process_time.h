// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito {

/// Seconds since the operating system started this process, including the time to load libraries.
/// Accurate to 0.01 s; negative if unknown.
[[nodiscard]] double secondsSinceStart();

}  // namespace dubito
