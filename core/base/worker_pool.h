// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace dubito {

/// Threads that wait for work, so that a short computation need not start its own. Every RunContext
/// has one, which its copies share. Threads are started when they are first needed and end with the
/// pool. Calls from several threads at a time, and calls from inside the work of another call, are
/// safe: a caller does its own work and waits only for threads that are inside it.
class WorkerPool {
 public:
  WorkerPool() = default;
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Calls `work` on this thread and on at most `helpers` threads of the pool, as many as are free
  /// while this one is busy, and returns when all of these calls have. `work` takes its pieces from
  /// a counter, so that one call alone does all of it; it must not throw.
  void run(int helpers, const std::function<void()>& work);

  /// Threads started so far.
  [[nodiscard]] int threadCount() const;

 private:
  /// One call of run(). It lives on the stack of its caller.
  struct Call {
    const std::function<void()>* work = nullptr;
    int wanted = 0;  ///< threads that may still join
    int inside = 0;  ///< threads that have joined and not left
    std::condition_variable left;
  };

  void help();
  void close(Call& call);

  mutable std::mutex mutex_;
  // All below is guarded by mutex_.
  std::condition_variable called_;
  std::vector<Call*> open_;  ///< those that threads may join
  bool ending_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace dubito
