// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/worker_thread.h"

#include <QCoreApplication>
#include <QEvent>
#include <algorithm>
#include <chrono>
#include <utility>

#include "core/base/free_memory.h"

namespace dubito {
namespace {

constexpr std::chrono::milliseconds kLongTask(100);

}  // namespace

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

void WorkerThread::post(std::shared_ptr<RunControl> control, std::function<void()> task,
                        Precedence precedence) {
  {
    const std::lock_guard lock(mutex_);
    const auto place = std::ranges::upper_bound(queue_, precedence, {}, &Entry::precedence);
    queue_.insert(place, {std::move(control), std::move(task), precedence});
  }
  wake_.notify_one();
}

bool WorkerThread::busy() const {
  const std::lock_guard lock(mutex_);
  return running_ != nullptr || !queue_.empty();
}

bool WorkerThread::isQueued() const {
  const std::lock_guard lock(mutex_);
  return !queue_.empty();
}

void WorkerThread::reply(std::function<void()> reply) {
  mailbox_.put(std::move(reply));
}

void WorkerThread::Mailbox::put(std::function<void()> reply) {
  {
    const std::lock_guard lock(mutex_);
    replies_.push_back(std::move(reply));
  }
  QCoreApplication::postEvent(this, new QEvent(QEvent::User));
}

bool WorkerThread::Mailbox::event(QEvent* event) {
  if (event->type() != QEvent::User) {
    return QObject::event(event);
  }
  // One reply per event, so that other events are handled in between, as with Qt's own queue.
  std::function<void()> reply;
  {
    const std::lock_guard lock(mutex_);
    reply = std::move(replies_.front());
    replies_.pop_front();
  }
  reply();
  return true;
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
    const auto begin = std::chrono::steady_clock::now();
    entry.task();
    entry = {};
    // The allocator keeps most of what a long task has used, a third of the window's memory after
    // it has opened a run of a million items.
    if (std::chrono::steady_clock::now() - begin > kLongTask && !isQueued()) {
      returnFreeMemory();
    }
  }
}

}  // namespace dubito
