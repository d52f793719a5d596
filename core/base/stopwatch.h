// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <utility>

namespace dubito {

/// Measures elapsed time, independent of changes to the system clock.
class Stopwatch {
 public:
  /// Seconds since construction or the last call of lap().
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - since_).count();
  }
  /// Returns seconds() and restarts the measurement.
  double lap() {
    const Clock::time_point now = Clock::now();
    return std::chrono::duration<double>(now - std::exchange(since_, now)).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point since_ = Clock::now();
};

}  // namespace dubito
