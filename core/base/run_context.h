// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/base/device.h"

namespace dubito {

class RankGroup;
class WorkerPool;

/// Progress of a computation. `total` is 0 if unknown.
struct Progress {
  std::string stage;
  std::int64_t done = 0;
  std::int64_t total = 0;
};

/// What a computation must do after reporting progress.
enum class Step {
  kContinue,
  kStopEarly,  ///< finish with the results so far
  kCancel,     ///< return cancelled(); nothing is kept
};

/// Flags through which another thread controls a computation.
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

/// What a blocking function of core needs from its caller: device, threads, seed, limits, progress,
/// cancellation. Copies share the control flags and the worker threads.
class RunContext {
 public:
  RunContext();
  explicit RunContext(std::shared_ptr<RunControl> control);

  Device device;
  /// Maximum number of threads for parallelFor and torch, >= 1.
  int threads = 1;
  /// Seed from which all keyed random numbers are derived.
  std::uint64_t seed = 0;
  /// Maximum size of results and buffers together, in bytes; 0: no limit.
  std::int64_t memory_budget_bytes = 0;
  /// The processes that share this computation; null if this process computes alone.
  std::shared_ptr<RankGroup> ranks;
  /// Called on the computing thread at most 25 times per second, and at each change of stage.
  std::function<void(const Progress&)> on_progress;

  [[nodiscard]] const std::shared_ptr<RunControl>& control() const { return control_; }
  [[nodiscard]] bool cancelRequested() const { return control_->cancelRequested(); }

  /// Reports progress and returns how to proceed, according to the control flags. Call at least
  /// once per batch.
  Step step(const std::string& stage, std::int64_t done, std::int64_t total);

  /// Calls body(begin, end) for disjoint parts of [0, n) of `grain` items each (the last may be
  /// smaller), on up to `threads` threads, and returns when all are done. Rethrows the first
  /// exception. The parts do not depend on the number of threads. Threads are reused (WorkerPool);
  /// a body may call parallelFor itself.
  void parallelFor(std::int64_t n, std::int64_t grain,
                   const std::function<void(std::int64_t begin, std::int64_t end)>& body) const;
  /// Calls body(i) for every i in [0, n) by parallelFor, each in a part of its own: for a few long
  /// computations.
  template <class Body>
  void forEach(std::size_t n, const Body& body) const {
    parallelFor(static_cast<std::int64_t>(n), 1, [&](std::int64_t begin, std::int64_t end) {
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
        body(i);
      }
    });
  }

 private:
  std::shared_ptr<RunControl> control_;
  std::shared_ptr<WorkerPool> pool_;
  std::string reported_stage_;
  std::chrono::steady_clock::time_point reported_at_{};
};

}  // namespace dubito
