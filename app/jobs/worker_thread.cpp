// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/worker_thread.h"

#include <QMetaObject>
#include <utility>

namespace dubito {

WorkerThread::WorkerThread() {
  thread_ = std::thread([this] { run(); });
}

WorkerThread::~WorkerThread() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
    queue_.clear();
    if (running_) {
      running_->requestCancel();
    }
  }
  wake_.notify_all();
  thread_.join();
}

void WorkerThread::post(std::shared_ptr<RunControl> control, std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back({std::move(control), std::move(task)});
  }
  wake_.notify_one();
}

void WorkerThread::reply(std::function<void()> reply) {
  QMetaObject::invokeMethod(&mailbox_, std::move(reply), Qt::QueuedConnection);
}

void WorkerThread::run() {
  for (;;) {
    Entry entry;
    {
      std::unique_lock lock(mutex_);
      running_.reset();
      wake_.wait(lock, [this] { return quit_ || !queue_.empty(); });
      if (quit_) {
        return;
      }
      entry = std::move(queue_.front());
      queue_.pop_front();
      running_ = entry.control;
    }
    entry.task();
  }
}

}  // namespace dubito
