// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "core/base/run_context.h"

namespace dubito {

/// Tasks that nobody watches wait for those that somebody does.
enum class Precedence { kUsual, kLow };

/// A thread that executes tasks in order and can send replies to the thread that created it. All
/// torch code runs on a single WorkerThread, because every further thread would start its own
/// OpenMP team.
class WorkerThread {
 public:
  /// Construct on the thread that receives the replies.
  WorkerThread();
  /// Drops queued tasks, cancels the running one and waits for it (at most one batch).
  ~WorkerThread();
  WorkerThread(const WorkerThread&) = delete;
  WorkerThread& operator=(const WorkerThread&) = delete;

  /// Queues `task`, which `control` can cancel: after those of its precedence, and low ones after
  /// all usual ones. Can be called on any thread.
  void post(std::shared_ptr<RunControl> control, std::function<void()> task,
            Precedence precedence = Precedence::kUsual);

  /// Whether a task is running or waiting. Can be called on any thread.
  [[nodiscard]] bool busy() const;

  /// Runs `reply` in the event loop of the creating thread. Called by tasks.
  void reply(std::function<void()> reply);

 private:
  struct Entry {
    std::shared_ptr<RunControl> control;
    std::function<void()> task;
    Precedence precedence = Precedence::kUsual;
  };
  /// Pending replies: they are stored under our own mutex, and Qt only wakes the receiver.
  class Mailbox : public QObject {
   public:
    void put(std::function<void()> reply);
    bool event(QEvent* event) override;

   private:
    std::mutex mutex_;
    std::deque<std::function<void()>> replies_;
  };
  void run();
  [[nodiscard]] bool isQueued() const;

  Mailbox mailbox_;  ///< lives on the creating thread; outlives the worker
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Entry> queue_;
  std::shared_ptr<RunControl> running_;
  bool quit_ = false;
  std::thread thread_;
};

}  // namespace dubito
