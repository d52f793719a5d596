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

/// Reaps terminating child processes on its own thread, so that no zombies remain, and kills those
/// that take too long.
class ChildReaper {
 public:
  ChildReaper();
  /// Kills and reaps all remaining children.
  ~ChildReaper();
  ChildReaper(const ChildReaper&) = delete;
  ChildReaper& operator=(const ChildReaper&) = delete;

  /// Kills `child` if it has not exited after `grace`; releases `output_folder` once the child has
  /// exited. Can be called on any thread.
  void take(pid_t child, std::chrono::milliseconds grace,
            std::shared_ptr<const void> output_folder);

 private:
  struct Terminating {
    pid_t child = 0;
    std::chrono::steady_clock::time_point deadline;
    std::shared_ptr<const void> output_folder;
    bool killed = false;
  };
  void run();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Terminating> terminating_;
  bool quit_ = false;
  std::thread thread_;
};

}  // namespace dubito
