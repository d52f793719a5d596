// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/prediction_loop_torch.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "core/base/stopwatch.h"
#include "core/data/items/content_hash.h"
#include "core/io/mapped_file.h"
#include "core/models/model_torch.h"
#include "core/network/network_batches_torch.h"

namespace dubito {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

/// Results computed since the last part was handed over.
class PredictionLoop::Pending {
 public:
  Pending(const RunShape& shape, std::int64_t first, std::int64_t capacity)
      : part{.begin = first, .end = first}, shape_(shape), capacity_(capacity) {}

  /// Allocates memory for a part only when there is something to store.
  RunBuilder& builder() {
    if (!builder_) {
      builder_.emplace(capacity_, shape_);
    }
    return *builder_;
  }
  [[nodiscard]] std::int64_t itemCount() const { return builder_ ? builder_->itemCount() : 0; }

  /// Completes and returns the part; later results go into another one.
  ComputedPart finish() {
    part.findings.items = itemCount();
    part.findings.timings["total"] +=
        std::chrono::duration<double>(Clock::now() - start_time).count();
    part.run = std::move(builder()).finish();
    part.findings.label_fit.add(part.run);
    builder_.reset();
    start_time = Clock::now();
    return std::exchange(part, ComputedPart{.begin = part.end, .end = part.end});
  }

  ComputedPart part;
  Clock::time_point start_time = Clock::now();

 private:
  RunShape shape_;
  std::int64_t capacity_;
  std::optional<RunBuilder> builder_;
};

PredictionLoop::PredictionLoop(PreparedPrediction& prepared)
    : PredictionLoop(prepared, {}, 0, prepared.dataset_.size()) {}

PredictionLoop::PredictionLoop(PreparedPrediction& prepared, const RunFindings& earlier,
                               std::int64_t items_done, std::int64_t total)
    : prepared_(prepared), items_done_(items_done), total_(total) {
  prepared_.predictor_->resumeFrom(earlier);
}

std::vector<ContentHash> PredictionLoop::contentHashes(const Batch& batch,
                                                       std::span<const std::int64_t> ids) const {
  // As long as a network on a GPU takes for them, on one thread.
  constexpr std::int64_t kElementsPerTask = 65'536;
  std::vector<ContentHash> hashes(ids.size());
  const std::int64_t grain = std::max<std::int64_t>(
      1, kElementsPerTask / std::max<std::int64_t>(1, batch.inputs.rowSize()));
  prepared_.context_.parallelFor(std::ssize(ids), grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const auto at = static_cast<std::size_t>(row);
      hashes[at].add(ids[at], prepared_.labels_.at(batch.indices[at]), batch.inputs.row(row));
    }
  });
  return hashes;
}

Expected<BatchOutcome> PredictionLoop::addBatch(const DeviceBatch& loaded, std::int64_t items,
                                                const std::string& stage, Pending& pending) {
  Stopwatch watch;
  const Batch& batch = loaded.batch;
  std::vector<std::int64_t> ids;
  for (const std::int64_t index : batch.indices) {
    ids.push_back(prepared_.dataset_.ids()[static_cast<std::size_t>(index)]);
  }
  if (!ids.empty()) {
    const std::int64_t passes = std::max<std::int64_t>(1, prepared_.draws());
    const PredictionBatch work{&batch, loaded.inputs, ids, [&](std::int64_t done) {
                                 return prepared_.context_.step(
                                     stage, items_done_ + items * done / passes, total_);
                               }};
    auto outcome = prepared_.predictor_->addBatch(work, pending.builder());
    pending.part.findings.timings["network"] += watch.lap();
    if (!outcome || *outcome == BatchOutcome::kStopped) {
      return outcome;
    }
  }
  const std::vector<ContentHash> hashes = contentHashes(batch, ids);
  for (std::size_t row = 0; row < ids.size(); ++row) {
    const std::int64_t index = batch.indices[row];
    pending.part.findings.content.merge(hashes[row]);
    pending.builder().addItem(ids[row], prepared_.labels_.at(index));
    if (pending.part.probe.index < 0) {
      pending.part.probe = {index, hashes[row].hex()};
    }
  }
  for (std::size_t i = 0; i < batch.unreadable.size(); ++i) {
    pending.part.findings.skipped.push_back(
        {prepared_.dataset_.itemName(batch.unreadable[i]), batch.unreadable_reasons[i]});
  }
  pending.part.findings.timings["hash"] += watch.lap();
  pending.part.end += items;
  items_done_ += items;
  return BatchOutcome::kDone;
}

Status PredictionLoop::handOver(Pending& pending, PartSink& sink) {
  // Results from a file that changed during the run are not kept.
  if (Status unchanged = mappedFilesUnchanged(); !unchanged) {
    return unchanged;
  }
  prepared_.predictor_->takeFindings(pending.part.findings);
  return sink.take(pending.finish());
}

Expected<bool> PredictionLoop::runBatches(std::int64_t end, PartSink& sink, Pending& pending) {
  DeviceBatches batches =
      networkBatches(prepared_.model_, prepared_.dataset_,
                     BatchPlan::ofRange(pending.part.begin, end, prepared_.batch_),
                     prepared_.network_.device, prepared_.context_);
  while (batches.remaining() > 0) {
    Stopwatch watch;
    const auto batch = batches.next();
    pending.part.findings.timings["waiting for data"] += watch.lap();
    if (!batch) {
      return failWith(batch);
    }
    const auto items =
        static_cast<std::int64_t>(batch->batch.indices.size() + batch->batch.unreadable.size());
    const auto outcome = addBatch(*batch, items, sink.stage(), pending);
    if (!outcome) {
      return failWith(outcome);
    }
    if (prepared_.context_.cancelRequested()) {
      return cancelled();
    }
    if (*outcome == BatchOutcome::kStopped || prepared_.context_.control()->stopEarlyRequested()) {
      return false;
    }
    const std::int64_t done = pending.itemCount();
    if (done > 0 && sink.isDue(done, pending.start_time)) {
      if (Status taken = handOver(pending, sink); !taken) {
        return failWith(taken);
      }
    }
  }
  return true;
}

Expected<bool> PredictionLoop::run(std::int64_t begin, std::int64_t end, std::int64_t max_items,
                                   PartSink& sink) {
  Pending pending(prepared_.shape(), begin, std::min(end - begin, max_items));
  auto completed = runBatches(end, sink, pending);
  const bool was_cancelled = !completed && completed.error().code == ErrorCode::kCancelled;
  const bool worth_keeping =
      completed ? pending.part.end > pending.part.begin : was_cancelled && pending.itemCount() > 0;
  if (worth_keeping) {
    if (Status taken = handOver(pending, sink); !taken) {
      return failWith(taken);
    }
  }
  return completed;
}

Expected<RunMeta> PredictionLoop::finish(const RunFindings& all, bool stopped_early) && {
  if (all.items == 0 && stopped_early) {
    return cancelled();
  }
  if (all.items == 0) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: none of its {} items could be read ({}); check the files",
                            prepared_.dataset_.info().name, prepared_.dataset_.size(),
                            all.skipped.empty() ? "it is empty" : all.skipped.front().reason));
  }
  RunMeta meta = prepared_.meta_;
  if (Status judged = prepared_.predictor_->finish(all, meta); !judged) {
    return failWith(judged);
  }
  const bool may_write = !prepared_.model_.impl().network.written_state.empty();
  if (!may_write && stateHash(prepared_.network_.module) != prepared_.state_hash_) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: the network changed its own weights or buffers while predicting; "
                            "script it again after model.eval()",
                            prepared_.model_.path()));
  }
  all.writeTo(meta);
  if (std::optional<Note> warning = labelFitNote(meta, all.label_fit)) {
    meta.notes.push_back(*std::move(warning));
  }
  meta.stopped_early = stopped_early;
  return meta;
}

}  // namespace dubito
