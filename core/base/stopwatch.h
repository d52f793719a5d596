// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <utility>

namespace dubito {

/// Measures time that passes, whatever is done to the clock on the wall.
class Stopwatch {
 public:
  /// Seconds since it was made, or since the last lap.
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - since_).count();
  }
  /// The same, and starts anew.
  double lap() {
    const Clock::time_point now = Clock::now();
    return std::chrono::duration<double>(now - std::exchange(since_, now)).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point since_ = Clock::now();
};

}  // namespace dubito
