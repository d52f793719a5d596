// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace dubito {

/// Waits for children that were asked to end, so that nobody else has to: one that takes too long
/// is killed, and none remains as a zombie.
class ChildReaper {
 public:
  ChildReaper();
  /// Kills what is left and waits for it.
  ~ChildReaper();
  ChildReaper(const ChildReaper&) = delete;
  ChildReaper& operator=(const ChildReaper&) = delete;

  /// `child` has until `grace` is over; `kept` is let go when it is gone. From any thread.
  void take(pid_t child, std::chrono::milliseconds grace, std::shared_ptr<const void> kept);

 private:
  struct Dying {
    pid_t child = 0;
    std::chrono::steady_clock::time_point deadline;
    std::shared_ptr<const void> kept;
    bool killed = false;
  };
  void run();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Dying> dying_;
  bool quit_ = false;
  std::thread thread_;
};

}  // namespace dubito
