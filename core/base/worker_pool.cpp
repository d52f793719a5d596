// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/worker_pool.h"

#include <algorithm>
#include <cstddef>

namespace dubito {

WorkerPool::~WorkerPool() {
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
  }
  called_.notify_all();
  threads_.clear();  // joins while the members that the threads use still exist
}

int WorkerPool::threadCount() const {
  const std::scoped_lock lock(mutex_);
  return static_cast<int>(threads_.size());
}

void WorkerPool::close(Call& call) {
  std::erase(open_, &call);
}

void WorkerPool::help() {
  std::unique_lock lock(mutex_);
  while (true) {
    called_.wait(lock, [this] { return ending_ || !open_.empty(); });
    if (ending_) {
      return;
    }
    // The last call is the innermost if calls are nested: the others wait for it.
    Call& call = *open_.back();
    ++call.inside;
    if (--call.wanted == 0) {
      close(call);
    }
    lock.unlock();
    (*call.work)();
    lock.lock();
    if (--call.inside == 0) {
      // Under the lock: the caller, whose stack has the call, cannot return before.
      call.left.notify_one();
    }
  }
}

void WorkerPool::run(int helpers, const std::function<void()>& work) {
  if (helpers <= 0) {
    work();
    return;
  }
  Call call{&work, helpers, 0, {}};
  {
    const std::scoped_lock lock(mutex_);
    while (threads_.size() < static_cast<std::size_t>(helpers)) {
      threads_.emplace_back([this] { help(); });
    }
    open_.push_back(&call);
  }
  if (helpers == 1) {
    called_.notify_one();
  } else {
    called_.notify_all();
  }
  work();
  std::unique_lock lock(mutex_);
  close(call);
  call.left.wait(lock, [&call] { return call.inside == 0; });
}

}  // namespace dubito
