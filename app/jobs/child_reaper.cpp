// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/child_reaper.h"

#include <sys/wait.h>

#include <csignal>
#include <utility>

namespace dubito {
namespace {

constexpr auto kPause = std::chrono::milliseconds(10);

bool isGone(pid_t child) {
  int status = 0;
  return waitpid(child, &status, WNOHANG) != 0;
}

}  // namespace

ChildReaper::ChildReaper() : thread_([this] { run(); }) {}

ChildReaper::~ChildReaper() {
  {
    const std::scoped_lock lock(mutex_);
    quit_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void ChildReaper::take(pid_t child, std::chrono::milliseconds grace,
                       std::shared_ptr<const void> output_folder) {
  {
    const std::scoped_lock lock(mutex_);
    terminating_.push_back(
        {child, std::chrono::steady_clock::now() + grace, std::move(output_folder)});
  }
  wake_.notify_all();
}

void ChildReaper::run() {
  std::unique_lock lock(mutex_);
  while (!quit_ || !terminating_.empty()) {
    if (terminating_.empty()) {
      wake_.wait(lock);
      continue;
    }
    for (std::size_t i = 0; i < terminating_.size();) {
      Terminating& child = terminating_[i];
      if (isGone(child.child)) {
        terminating_.erase(terminating_.begin() + static_cast<std::ptrdiff_t>(i));
        continue;
      }
      if (!child.killed && (quit_ || std::chrono::steady_clock::now() >= child.deadline)) {
        kill(child.child, SIGKILL);
        child.killed = true;
      }
      ++i;
    }
    if (!terminating_.empty()) {
      wake_.wait_for(lock, kPause);
    }
  }
}

}  // namespace dubito
