// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/run_context.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <utility>

#include "core/base/worker_pool.h"

namespace dubito {
namespace {

/// Shared by all contexts that a thread makes: a thread that serves many short requests starts its
/// helpers once.
const std::shared_ptr<WorkerPool>& poolOfThread() {
  thread_local const auto pool = std::make_shared<WorkerPool>();
  return pool;
}

}  // namespace

RunContext::RunContext() : RunContext(std::make_shared<RunControl>()) {}

RunContext::RunContext(std::shared_ptr<RunControl> control)
    : control_(std::move(control)), pool_(poolOfThread()) {}

Step RunContext::step(const std::string& stage, std::int64_t done, std::int64_t total) {
  if (on_progress) {
    constexpr auto kMinInterval = std::chrono::milliseconds(40);
    const auto now = std::chrono::steady_clock::now();
    const bool finished = total > 0 && done >= total;
    if (stage != reported_stage_ || finished || now - reported_at_ >= kMinInterval) {
      reported_stage_ = stage;
      reported_at_ = now;
      on_progress({stage, done, total});
    }
  }
  if (control_->cancelRequested()) {
    return Step::kCancel;
  }
  return control_->stopEarlyRequested() ? Step::kStopEarly : Step::kContinue;
}

void RunContext::parallelFor(
    std::int64_t n, std::int64_t grain,
    const std::function<void(std::int64_t begin, std::int64_t end)>& body) const {
  if (n <= 0) {
    return;
  }
  grain = std::max<std::int64_t>(grain, 1);
  const std::int64_t parts = (n + grain - 1) / grain;
  const std::int64_t workers = std::min<std::int64_t>(std::max(threads, 1), parts);
  std::atomic<std::int64_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto work = [&] {
    for (std::int64_t part = next++; part < parts; part = next++) {
      try {
        body(part * grain, std::min(n, (part + 1) * grain));
      } catch (...) {
        const std::scoped_lock lock(failure_mutex);
        if (!failure) {
          failure = std::current_exception();
        }
        next = parts;
      }
    }
  };
  pool_->run(static_cast<int>(workers - 1), work);
  if (failure) {
    std::rethrow_exception(failure);
  }
}

}  // namespace dubito
