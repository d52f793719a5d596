// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace dubito {

/// Threads that wait for work, so that short computations need not start threads of their own.
/// The RunContexts that a thread makes share a pool, and so do their copies. Threads start when
/// first needed and end with the pool. Concurrent and nested calls are safe: each caller also does
/// work itself and waits only for the threads that joined its call.
class WorkerPool {
 public:
  WorkerPool() = default;
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Calls `work` once on this thread and once on each of up to `helpers` idle threads of the pool,
  /// and returns when all these calls have returned. `work` must fetch its tasks from a shared
  /// counter, so that a single call can complete them all, and must not throw.
  void run(int helpers, const std::function<void()>& work);

  /// Number of threads started so far.
  [[nodiscard]] int threadCount() const;

 private:
  /// One call of run(), on the stack of its caller.
  struct Call {
    const std::function<void()>* work = nullptr;
    int wanted = 0;  ///< threads that may still join
    int inside = 0;  ///< threads that have joined and not yet left
    std::condition_variable left;
  };

  void help();
  void close(Call& call);

  mutable std::mutex mutex_;
  // Everything below is guarded by mutex_.
  std::condition_variable called_;
  std::vector<Call*> open_;  ///< calls that threads may join
  bool ending_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace dubito
