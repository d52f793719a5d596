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

/// One thread that carries out tasks in the order in which they were posted, and a way back to the
/// thread that made it. Torch runs on one such thread only, because every further one would start
/// an OpenMP team of its own.
class WorkerThread {
 public:
  /// To be made on the thread that is to receive the replies.
  WorkerThread();
  /// Drops what is queued, cancels what runs and waits for it (one batch at most).
  ~WorkerThread();
  WorkerThread(const WorkerThread&) = delete;
  WorkerThread& operator=(const WorkerThread&) = delete;

  /// Queues `task`, which is steered by `control`. From any thread.
  void post(std::shared_ptr<RunControl> control, std::function<void()> task);

  /// Has `reply` run on the thread that made this object, from its event loop. Called by tasks.
  void reply(std::function<void()> reply);

 private:
  struct Entry {
    std::shared_ptr<RunControl> control;
    std::function<void()> task;
  };
  /// Replies on their way: they pass through a mutex of our own, and Qt only wakes the receiver.
  class Mailbox : public QObject {
   public:
    void put(std::function<void()> reply);
    bool event(QEvent* event) override;

   private:
    std::mutex mutex_;
    std::deque<std::function<void()>> replies_;
  };
  void run();

  Mailbox mailbox_;  ///< lives on the making thread; outlives the worker
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Entry> queue_;
  std::shared_ptr<RunControl> running_;
  bool quit_ = false;
  std::thread thread_;
};

}  // namespace dubito
