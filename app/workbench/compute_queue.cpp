// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/compute_queue.h"

#include <algorithm>
#include <utility>

namespace dubito {

ComputeQueue::ComputeQueue(WorkerThread& worker, QObject* parent) : QObject(parent), job_(worker) {}

void ComputeQueue::add(Computation computation) {
  waiting_.push_back({++last_id_, std::move(computation)});
  startNext();
  Q_EMIT changed();
}

void ComputeQueue::remove(int id) {
  if (running() && current_.id == id) {
    job_.cancel();
    return;
  }
  if (std::erase_if(waiting_, [id](const Waiting& entry) { return entry.id == id; }) > 0) {
    Q_EMIT changed();
  }
}

void ComputeQueue::clear() {
  if (!std::exchange(waiting_, {}).empty()) {
    Q_EMIT changed();
  }
}

void ComputeQueue::cancelAutomatic() {
  if (running() && !current_.computation.wanted) {
    job_.cancel();
  }
  if (std::erase_if(waiting_, [](const Waiting& entry) { return !entry.computation.wanted; }) > 0) {
    Q_EMIT changed();
  }
}

std::vector<ComputeQueue::Entry> ComputeQueue::entries() const {
  std::vector<Entry> entries;
  const auto add = [&entries](const Waiting& entry, bool is_running) {
    entries.push_back({entry.id, entry.computation.title, entry.computation.target, is_running});
  };
  if (running()) {
    add(current_, true);
  }
  for (const Waiting& entry : waiting_) {
    add(entry, false);
  }
  return entries;
}

bool ComputeQueue::hasUserRequested() const {
  return (running() && current_.computation.wanted) ||
         std::any_of(waiting_.begin(), waiting_.end(),
                     [](const Waiting& entry) { return entry.computation.wanted; });
}

void ComputeQueue::startNext() {
  if (running() || waiting_.empty()) {
    return;
  }
  current_ = std::move(waiting_.front());
  waiting_.pop_front();
  job_.start<AnalysisPtr>(
      current_.computation.title, current_.computation.settings,
      std::move(current_.computation.work), this,
      [this, deliver = current_.computation.deliver](Expected<AnalysisPtr> analysis) {
        deliver(std::move(analysis));
        startNext();
        Q_EMIT changed();
      });
}

}  // namespace dubito
