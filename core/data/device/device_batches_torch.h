// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <variant>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/device/device_copier_torch.h"
#include "core/data/images/prefetcher.h"

namespace dubito {

/// The batch's inputs as a tensor that shares their memory.
[[nodiscard]] at::Tensor tensorOf(const Batch& batch);

/// A loaded batch and its inputs as a network takes them.
struct DeviceBatch {
  Batch batch;
  /// On the device, or still on the CPU if the device is the CPU or had no memory left: part of a
  /// batch may fit. Undefined if no item could be read. May share the memory of `batch`, and other
  /// parts of a computation may read it: do not write to it.
  at::Tensor inputs;
};

/// Loads the batches of a plan ahead of the consumer (Prefetcher) and copies them to a device, one
/// ahead: while the device computes with one batch, the next is copied on another stream. As many
/// batches exist on the host as with a Prefetcher alone. On the CPU nothing is copied.
class DeviceBatches {
 public:
  /// Makes the inputs of batch `number` of the plan on the CPU; may share the batch's memory. With
  /// a GPU, it is called on a thread of its own, in the order of the plan.
  using MakeInputs = std::function<at::Tensor(const Batch& batch, std::int64_t number)>;

  /// `copier`: null if the device is the CPU. `dataset`, and what `make_inputs` refers to, must
  /// outlive the object. If the context has only one thread, batches are loaded and copied inside
  /// next(); if several batches do not fit into its memory budget, they are loaded there and not
  /// copied ahead.
  DeviceBatches(
      const Dataset& dataset, const BatchPlan& plan, const Preprocessing& preprocessing,
      const RunContext& context, std::unique_ptr<DeviceCopier> copier,
      MakeInputs make_inputs = [](const Batch& batch, std::int64_t) { return tensorOf(batch); });
  /// Stops loading and copying; waits for the items that are being read and the copies that were
  /// started.
  ~DeviceBatches() = default;
  DeviceBatches(const DeviceBatches&) = delete;
  DeviceBatches& operator=(const DeviceBatches&) = delete;

  /// Batches not yet returned by next().
  [[nodiscard]] std::int64_t remaining() const { return batches_ - taken_; }

  /// The next batch; work that this thread launches on the device from now on waits for its copy.
  /// Call it when the results of the batch before are no longer needed from its inputs: asking for
  /// a batch releases the one before. Errors and exceptions as from Prefetcher::next, each at its
  /// batch and at every later call. Call from one thread only.
  [[nodiscard]] Expected<DeviceBatch> next();

 private:
  struct Ready {
    DeviceBatch batch;
    std::function<void()> join;  ///< of the copy; empty without one
  };
  using Outcome = std::variant<std::monostate, Ready, Error, std::exception_ptr>;

  [[nodiscard]] Outcome load(const std::stop_token& stop);
  void startCopy(Ready& ready);
  void produce(const std::stop_token& stop);
  [[nodiscard]] Outcome waitForNext();
  /// Whether batches may be copied ahead.
  [[nodiscard]] bool hasRoom() const;

  const RunContext context_;
  const std::int64_t batches_;
  const MakeInputs make_inputs_;
  /// Destroyed after the thread and the batches.
  const std::unique_ptr<DeviceCopier> copier_;
  Prefetcher loaded_;
  std::int64_t number_ = 0;          ///< of the batch to load next
  std::int64_t bytes_of_batch_ = 0;  ///< the largest so far
  std::int64_t taken_ = 0;
  Outcome failure_;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  // Guarded by mutex_.
  Outcome ready_;          ///< the batch ahead
  bool is_asked_ = false;  ///< the consumer waits in next()

  std::jthread producer_;  ///< declared last: stops before the other members are destroyed
};

}  // namespace dubito
