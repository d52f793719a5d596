// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/device/device_batches_torch.h"

#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <variant>

namespace dubito {
namespace {

// On the host: the batch that computes, the one ahead, the one being loaded, and the page-locked
// copy, which is rounded up to a power of two.
constexpr std::int64_t kBatchesWithCopies = 5;

bool usesThread(const DeviceCopier* copier, const BatchPlan& plan, const RunContext& context) {
  return copier != nullptr && context.threads > 1 && plan.batchCount() > 1;
}

}  // namespace

at::Tensor tensorOf(const Batch& batch) {
  // Never written to; torch has no type for constant memory.
  return at::from_blob(const_cast<float*>(batch.inputs.data()), batch.inputs.shape(), at::kFloat);
}

DeviceBatches::DeviceBatches(const Dataset& dataset, const BatchPlan& plan,
                             const Preprocessing& preprocessing, const RunContext& context,
                             std::unique_ptr<DeviceCopier> copier, MakeInputs make_inputs)
    : context_(context),
      batches_(plan.batchCount()),
      make_inputs_(std::move(make_inputs)),
      copier_(std::move(copier)),
      // The batch ahead takes the place of one that would wait in the prefetcher.
      loaded_(dataset, plan, preprocessing, context,
              usesThread(copier_.get(), plan, context) ? Prefetcher::kDefaultAhead - 1
                                                       : Prefetcher::kDefaultAhead) {
  if (usesThread(copier_.get(), plan, context)) {
    producer_ = std::jthread([this](const std::stop_token& stop) { produce(stop); });
  }
}

bool DeviceBatches::hasRoom() const {
  return context_.memory_budget_bytes <= 0 ||
         kBatchesWithCopies * bytes_of_batch_ <= context_.memory_budget_bytes;
}

void DeviceBatches::startCopy(Ready& ready) {
  try {
    StartedCopy copy = copier_->start(ready.batch.inputs);
    ready.batch.inputs = std::move(copy.tensor);
    ready.join = std::move(copy.join);
  } catch (const std::exception&) {
    // The consumer copies what it needs itself, and reports why that fails.
  }
}

DeviceBatches::Outcome DeviceBatches::load(const std::stop_token& stop) {
  try {
    Expected<Batch> batch = loaded_.next(stop);
    if (!batch) {
      return batch.error();
    }
    const std::int64_t number = number_++;
    Ready ready{{std::move(*batch), {}}, {}};
    if (!ready.batch.batch.indices.empty()) {
      ready.batch.inputs = make_inputs_(ready.batch.batch, number);
      bytes_of_batch_ =
          std::max(bytes_of_batch_, static_cast<std::int64_t>(ready.batch.inputs.nbytes()));
      if (copier_ && hasRoom()) {
        startCopy(ready);
      }
    }
    return ready;
  } catch (...) {
    return std::current_exception();
  }
}

void DeviceBatches::produce(const std::stop_token& stop) {
  while (number_ < batches_) {
    {
      std::unique_lock lock(mutex_);
      const auto may_load = [this] {
        return std::holds_alternative<std::monostate>(ready_) && (is_asked_ || hasRoom());
      };
      if (!changed_.wait(lock, stop, may_load)) {
        return;
      }
    }
    Outcome outcome = load(stop);
    const bool failed = !std::holds_alternative<Ready>(outcome);
    {
      const std::scoped_lock lock(mutex_);
      ready_ = std::move(outcome);
    }
    changed_.notify_all();
    if (failed) {
      return;
    }
  }
}

DeviceBatches::Outcome DeviceBatches::waitForNext() {
  if (!producer_.joinable()) {
    return load({});
  }
  std::unique_lock lock(mutex_);
  is_asked_ = true;
  changed_.notify_all();
  // Comes soon after a cancel, too: as an error.
  changed_.wait(lock, [this] { return !std::holds_alternative<std::monostate>(ready_); });
  is_asked_ = false;
  Outcome outcome = std::exchange(ready_, Outcome());
  lock.unlock();
  changed_.notify_all();
  return outcome;
}

Expected<DeviceBatch> DeviceBatches::next() {
  if (std::holds_alternative<std::monostate>(failure_)) {
    if (remaining() == 0) {
      throw std::out_of_range("DeviceBatches: no batches remain");
    }
    Outcome outcome = context_.cancelRequested() ? Outcome(cancelled().value()) : waitForNext();
    if (auto* const ready = std::get_if<Ready>(&outcome)) {
      ++taken_;
      if (ready->join) {
        ready->join();
      }
      return std::move(ready->batch);
    }
    failure_ = std::move(outcome);
  }
  if (const auto* const exception = std::get_if<std::exception_ptr>(&failure_)) {
    std::rethrow_exception(*exception);
  }
  return tl::unexpected<Error>(std::get<Error>(failure_));
}

}  // namespace dubito
