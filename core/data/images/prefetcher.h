// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>
#include <variant>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/images/preprocessing.h"
#include "core/data/items/dataset.h"

namespace dubito {

/// Splits items of a dataset into batches of equal size, in order; the last one may be smaller.
class BatchPlan {
 public:
  /// The items at positions [begin, end). Throws std::invalid_argument if batch < 1 or begin < 0.
  [[nodiscard]] static BatchPlan ofRange(std::int64_t begin, std::int64_t end, std::int64_t batch);
  /// The items at `indices`, in that order. Throws std::invalid_argument if batch < 1.
  [[nodiscard]] static BatchPlan ofItems(std::vector<std::int64_t> indices, std::int64_t batch);

  [[nodiscard]] std::int64_t itemCount() const { return count_; }
  [[nodiscard]] std::int64_t batchCount() const { return (count_ + batch_ - 1) / batch_; }
  /// Positions in the dataset of the items of batch `number`, in [0, batchCount()).
  [[nodiscard]] std::vector<std::int64_t> indicesOf(std::int64_t number) const;

 private:
  BatchPlan(std::int64_t begin, std::int64_t count, std::vector<std::int64_t> indices,
            std::int64_t batch);

  std::int64_t begin_;
  std::int64_t count_;
  /// Positions of the items; empty for a range.
  std::vector<std::int64_t> indices_;
  std::int64_t batch_;
};

/// Loads the batches of a plan ahead of the consumer, so that decoding and computing overlap.
///
/// A separate thread keeps up to `ahead` loaded batches in a queue. Each batch is loaded by
/// loadBatch on the context's threads. Batches arrive in the order of the plan. If the context has
/// only one thread, batches are loaded inside next() instead. If the context has a memory budget,
/// the number of batches that exist at a time, including the one returned last, is limited to what
/// fits, but is at least one.
class Prefetcher {
 public:
  static constexpr std::int64_t kDefaultAhead = 2;

  /// `dataset` must outlive the prefetcher. Cancelling `context`, of which the prefetcher has a
  /// copy with shared flags, also stops the loading. No progress is reported. Throws
  /// std::invalid_argument if ahead < 1.
  Prefetcher(const Dataset& dataset, BatchPlan plan, Preprocessing preprocessing,
             const RunContext& context, std::int64_t ahead = kDefaultAhead);
  /// Stops loading; waits only for the items that are being read.
  ~Prefetcher() = default;
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;

  /// Batches not yet returned by next().
  [[nodiscard]] std::int64_t remaining() const { return plan_.batchCount() - taken_; }

  /// The next batch; blocks until it is loaded. If a batch failed to load, the call that would
  /// return it fails with that error (or rethrows the exception of the dataset), and so does every
  /// later call. Fails with kCancelled soon after the context is cancelled, even if loaded batches
  /// are queued, and soon after `stop` is requested. Throws std::out_of_range if nothing remains.
  /// Call from one thread only.
  [[nodiscard]] Expected<Batch> next(const std::stop_token& stop = {});

 private:
  using Loaded = std::variant<Batch, Error, std::exception_ptr>;

  [[nodiscard]] Loaded load(std::int64_t number, const std::stop_token& stop) const;
  void produce(const std::stop_token& stop);
  [[nodiscard]] bool hasRoom() const;
  [[nodiscard]] Loaded waitForNext(const std::stop_token& stop);

  const Dataset& dataset_;
  const BatchPlan plan_;
  const Preprocessing preprocessing_;
  RunContext context_;
  const std::size_t ahead_;
  /// The next two members are used only by the consumer's thread.
  std::int64_t taken_ = 0;
  std::variant<std::monostate, Error, std::exception_ptr> failure_;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  // Everything below is guarded by mutex_.
  std::deque<Loaded> queue_;
  std::int64_t bytes_of_batch_ = 0;  ///< size of the largest batch so far
  bool consumer_holds_one_ = false;

  std::jthread producer_;  ///< declared last: stops before the other members are destroyed
};

}  // namespace dubito
