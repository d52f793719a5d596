// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito {

/// Seconds since the operating system started this process, the loading of libraries included; to
/// a hundredth. Negative where the system does not tell.
[[nodiscard]] double secondsSinceStart();

}  // namespace dubito
