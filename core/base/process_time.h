// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito {

/// Seconds since the operating system started this process, including the loading of libraries; to
/// a hundredth. Negative if unknown.
[[nodiscard]] double secondsSinceStart();

}  // namespace dubito
