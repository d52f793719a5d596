// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/base/device.h"

namespace dubito {

class RankGroup;
class WorkerPool;

/// How far a computation is. `total` is 0 where it is not known.
struct Progress {
  std::string stage;
  std::int64_t done = 0;
  std::int64_t total = 0;
};

/// What a computation is to do after it has reported.
enum class Step {
  kContinue,
  kStopEarly,  ///< finish with what is there
  kCancel,     ///< return cancelled(); nothing is kept
};

/// The two flags through which another thread steers a computation.
class RunControl {
 public:
  void requestCancel() { cancel_.store(true, std::memory_order_relaxed); }
  void requestStopEarly() { stop_early_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool cancelRequested() const { return cancel_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool stopEarlyRequested() const {
    return stop_early_.load(std::memory_order_relaxed);
  }

 private:
  std::atomic<bool> cancel_{false};
  std::atomic<bool> stop_early_{false};
};

/// All that a blocking entry point of core is told about its surroundings. Copies share the control
/// flags and the threads of parallelFor.
class RunContext {
 public:
  RunContext();
  explicit RunContext(std::shared_ptr<RunControl> control);

  Device device;
  /// Threads that parallelFor and torch may use, >= 1.
  int threads = 1;
  /// Root of every keyed random number.
  std::uint64_t seed = 0;
  /// Bytes that results and buffers may take together; 0: no limit.
  std::int64_t memory_budget_bytes = 0;
  /// The processes that share this computation; null: this one does it all.
  std::shared_ptr<RankGroup> ranks;
  /// Called on the computing thread, at most 25 times a second and at each change of stage.
  std::function<void(const Progress&)> on_progress;

  [[nodiscard]] const std::shared_ptr<RunControl>& control() const { return control_; }
  [[nodiscard]] bool cancelRequested() const { return control_->cancelRequested(); }

  /// Reports progress and reads the flags; called at least once a batch.
  Step step(const std::string& stage, std::int64_t done, std::int64_t total);

  /// Calls body(begin, end) on disjoint parts of [0, n), each of at least `grain` items, on up to
  /// `threads` threads, and returns when all are done. The first exception is rethrown. Parts do
  /// not depend on the number of threads used. The threads wait for the next call (WorkerPool); a
  /// body may call parallelFor itself.
  void parallelFor(std::int64_t n, std::int64_t grain,
                   const std::function<void(std::int64_t begin, std::int64_t end)>& body) const;

 private:
  std::shared_ptr<RunControl> control_;
  std::shared_ptr<WorkerPool> pool_;
  std::string reported_stage_;
  std::chrono::steady_clock::time_point reported_at_{};
};

}  // namespace dubito
