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

/// Which items of a dataset go into which batch: equal batches in order, the last one may be
/// smaller.
class BatchPlan {
 public:
  /// The items at positions [begin, end). Throws std::invalid_argument for batch < 1 or a negative
  /// begin.
  [[nodiscard]] static BatchPlan ofRange(std::int64_t begin, std::int64_t end, std::int64_t batch);
  /// The items at `indices`, in that order. Throws std::invalid_argument for batch < 1.
  [[nodiscard]] static BatchPlan ofItems(std::vector<std::int64_t> indices, std::int64_t batch);

  [[nodiscard]] std::int64_t itemCount() const { return count_; }
  [[nodiscard]] std::int64_t batchCount() const { return (count_ + batch_ - 1) / batch_; }
  /// Positions in the dataset of batch `number` in [0, batchCount()).
  [[nodiscard]] std::vector<std::int64_t> indicesOf(std::int64_t number) const;

 private:
  BatchPlan(std::int64_t begin, std::int64_t count, std::vector<std::int64_t> indices,
            std::int64_t batch);

  std::int64_t begin_;
  std::int64_t count_;
  /// Empty for a range, which needs no list.
  std::vector<std::int64_t> indices_;
  std::int64_t batch_;
};

/// Loads the batches of a plan ahead of whoever takes them, so that decoding and computing overlap.
///
/// A thread of its own keeps up to `ahead` loaded batches waiting; each is loaded by loadBatch on
/// the context's threads. Batches come in the order of the plan, with the same contents as
/// loadBatch gives them. A context with one thread gets no second one: its batches are loaded
/// inside next(). Where the context has a memory budget, no more batches exist at a time (the one
/// handed out last counted) than fit into it, but always one.
class Prefetcher {
 public:
  static constexpr std::int64_t kDefaultAhead = 2;

  /// `dataset` outlives the prefetcher. Copies of `context` share its flags, so that cancelling it
  /// ends the loading as well; nothing reports progress. Throws std::invalid_argument for
  /// ahead < 1.
  Prefetcher(const Dataset& dataset, BatchPlan plan, Preprocessing preprocessing,
             const RunContext& context, std::int64_t ahead = kDefaultAhead);
  /// Ends the loading, at the latest after the items that are being read.
  ~Prefetcher() = default;
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;

  /// Batches that next() has not handed out yet.
  [[nodiscard]] std::int64_t remaining() const { return plan_.batchCount() - taken_; }

  /// The next batch, waiting for it where necessary. What went wrong with a batch, an exception of
  /// the dataset included, is met when its turn comes, and again by every later call. kCancelled
  /// soon after the context is cancelled, whatever waits in the queue. Throws std::out_of_range
  /// where nothing remains. Only for one thread.
  [[nodiscard]] Expected<Batch> next();

 private:
  using Loaded = std::variant<Batch, Error, std::exception_ptr>;

  [[nodiscard]] Loaded load(std::int64_t number, const std::stop_token& stop) const;
  void produce(const std::stop_token& stop);
  [[nodiscard]] bool roomForAnother() const;
  [[nodiscard]] Loaded waitForNext();

  const Dataset& dataset_;
  const BatchPlan plan_;
  const Preprocessing preprocessing_;
  RunContext context_;
  const std::size_t ahead_;
  /// Of the consumer alone.
  std::int64_t taken_ = 0;
  std::variant<std::monostate, Error, std::exception_ptr> failure_;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  // All below is guarded by mutex_.
  std::deque<Loaded> queue_;
  std::int64_t bytes_of_batch_ = 0;  ///< the largest seen
  bool consumer_holds_one_ = false;

  std::jthread producer_;  ///< last, so that it ends before what it uses
};

}  // namespace dubito
