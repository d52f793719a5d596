// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/images/prefetcher.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace dubito {

BatchPlan::BatchPlan(std::int64_t begin, std::int64_t count, std::vector<std::int64_t> indices,
                     std::int64_t batch)
    : begin_(begin), count_(count), indices_(std::move(indices)), batch_(batch) {
  if (batch_ < 1 || begin_ < 0) {
    throw std::invalid_argument(
        "BatchPlan: batch must be at least 1 and begin must not be negative");
  }
}

BatchPlan BatchPlan::ofRange(std::int64_t begin, std::int64_t end, std::int64_t batch) {
  return {begin, std::max<std::int64_t>(end - begin, 0), {}, batch};
}

BatchPlan BatchPlan::ofItems(std::vector<std::int64_t> indices, std::int64_t batch) {
  const auto count = static_cast<std::int64_t>(indices.size());
  return {0, count, std::move(indices), batch};
}

std::vector<std::int64_t> BatchPlan::indicesOf(std::int64_t number) const {
  if (number < 0 || number >= batchCount()) {
    throw std::out_of_range("BatchPlan: batch number out of range");
  }
  const std::int64_t first = number * batch_;
  const std::int64_t last = std::min(first + batch_, count_);
  if (!indices_.empty()) {
    return {indices_.begin() + first, indices_.begin() + last};
  }
  std::vector<std::int64_t> indices(static_cast<std::size_t>(last - first));
  std::iota(indices.begin(), indices.end(), begin_ + first);
  return indices;
}

Prefetcher::Prefetcher(const Dataset& dataset, BatchPlan plan, Preprocessing preprocessing,
                       const RunContext& context, std::int64_t ahead)
    : dataset_(dataset),
      plan_(std::move(plan)),
      preprocessing_(std::move(preprocessing)),
      context_(context),
      ahead_(static_cast<std::size_t>(ahead)) {
  if (ahead < 1) {
    throw std::invalid_argument("Prefetcher: ahead must be at least 1");
  }
  context_.on_progress = nullptr;
  if (context_.threads > 1 && plan_.batchCount() > 0) {
    producer_ = std::jthread([this](const std::stop_token& stop) { produce(stop); });
  }
}

Prefetcher::Loaded Prefetcher::load(std::int64_t number, const std::stop_token& stop) const {
  try {
    Expected<Batch> batch =
        loadBatch(dataset_, plan_.indicesOf(number), preprocessing_, context_, stop);
    return batch ? Loaded(std::move(*batch)) : Loaded(batch.error());
  } catch (...) {
    return std::current_exception();
  }
}

bool Prefetcher::hasRoom() const {
  if (queue_.size() >= ahead_) {
    return false;
  }
  const std::int64_t budget = context_.memory_budget_bytes;
  if (budget <= 0 || bytes_of_batch_ == 0) {
    return true;
  }
  const std::int64_t others =
      static_cast<std::int64_t>(queue_.size()) + (consumer_holds_one_ ? 1 : 0);
  return others == 0 || (others + 1) * bytes_of_batch_ <= budget;
}

void Prefetcher::produce(const std::stop_token& stop) {
  for (std::int64_t number = 0; number < plan_.batchCount(); ++number) {
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, stop, [this] { return hasRoom(); })) {
        return;
      }
    }
    Loaded loaded = load(number, stop);
    const auto* const batch = std::get_if<Batch>(&loaded);
    const bool failed = batch == nullptr;
    const std::int64_t bytes =
        failed ? 0 : batch->inputs.size() * static_cast<std::int64_t>(sizeof(float));
    {
      const std::scoped_lock lock(mutex_);
      bytes_of_batch_ = std::max(bytes_of_batch_, bytes);
      queue_.push_back(std::move(loaded));
    }
    changed_.notify_all();
    if (failed) {
      return;
    }
  }
}

Prefetcher::Loaded Prefetcher::waitForNext(const std::stop_token& stop) {
  if (!producer_.joinable()) {
    return load(taken_, stop);
  }
  std::unique_lock lock(mutex_);
  // Asking for the next batch releases the previous one.
  consumer_holds_one_ = false;
  changed_.notify_all();
  // A cancel notifies no one, and an item may take long to read.
  constexpr auto kPatience = std::chrono::milliseconds(20);
  while (!changed_.wait_for(lock, kPatience, [this] { return !queue_.empty(); })) {
    if (context_.cancelRequested() || stop.stop_requested()) {
      return cancelled().value();
    }
  }
  Loaded loaded = std::move(queue_.front());
  queue_.pop_front();
  consumer_holds_one_ = true;
  lock.unlock();
  changed_.notify_all();
  return loaded;
}

Expected<Batch> Prefetcher::next(const std::stop_token& stop) {
  if (std::holds_alternative<std::monostate>(failure_)) {
    if (remaining() == 0) {
      throw std::out_of_range("Prefetcher: no batches remain");
    }
    Loaded loaded = context_.cancelRequested() ? Loaded(cancelled().value()) : waitForNext(stop);
    if (auto* const batch = std::get_if<Batch>(&loaded)) {
      ++taken_;
      return std::move(*batch);
    }
    if (auto* const error = std::get_if<Error>(&loaded)) {
      failure_ = std::move(*error);
    } else {
      failure_ = std::get<std::exception_ptr>(loaded);
    }
  }
  if (const auto* const exception = std::get_if<std::exception_ptr>(&failure_)) {
    std::rethrow_exception(*exception);
  }
  return tl::unexpected<Error>(std::get<Error>(failure_));
}

}  // namespace dubito
