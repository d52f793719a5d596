// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <thread>

namespace dubito {

/// Number of processors that this process may use; 1 if unknown.
[[nodiscard]] inline int processorCount() {
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

/// `wanted` threads; all processors for 0.
[[nodiscard]] inline int threadCount(int wanted) {
  return wanted > 0 ? wanted : processorCount();
}

}  // namespace dubito
