// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/data/device/device_batches_torch.h"
#include "core/methods/batch_predictor_torch.h"
#include "core/methods/predict_options.h"
#include "core/network/batch_size_torch.h"
#include "core/predict/model_labels.h"
#include "core/predict/run_findings.h"
#include "core/runs/run_builder.h"

namespace dubito {

/// Results for the items [begin, end) of a dataset.
struct ComputedPart {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  Run run = {};  ///< without meta; empty if no item could be used
  RunFindings findings = {};
  ContentProbe probe = {};
};

/// Receives the results of a prediction, part by part.
class PartSink {
 public:
  virtual ~PartSink() = default;
  /// Whether the results for `items` items, computed since `start_time`, should be passed to take()
  /// now.
  [[nodiscard]] virtual bool isDue(std::int64_t items,
                                   std::chrono::steady_clock::time_point start_time) const = 0;
  [[nodiscard]] virtual Status take(ComputedPart part) = 0;
};

/// Sizes that are chosen to fit into memory and affect the results of a run.
struct RunSizes {
  std::int64_t batch = 1;  ///< items per batch
  bool keeps_draws = false;
  std::int64_t pass_bytes = 0;  ///< limit for a pass shared by several draws
};

/// Runs one method on one dataset, batch by batch, and passes the results to a PartSink.
class PredictionLoop {
 public:
  /// All arguments must outlive the object.
  PredictionLoop(const Model& model, const Dataset& dataset, MethodOptions method,
                 const PredictOptions& options, RunContext& context);
  ~PredictionLoop();

  /// Call before prepare() if parts of the run were computed with these sizes. The remaining parts
  /// use the same sizes, regardless of how much memory is free now; prepare() returns kOutOfMemory
  /// if such batches do not fit.
  void reuseSizes(const RunSizes& sizes) { earlier_sizes_ = sizes; }
  /// Checks the options against model and dataset and places the network on its device. Call before
  /// all methods below.
  [[nodiscard]] Status prepare();

  /// Metadata of the run, without findings.
  [[nodiscard]] const RunMeta& meta() const { return meta_; }
  /// Everything that determines the results, as pairs of display name and value. Two sessions with
  /// the same identity may compute parts of the same run.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> identity() const;
  /// Items per batch. Parts begin at multiples of it, so that a run in parts has the same batches.
  [[nodiscard]] std::int64_t batch() const { return batch_; }
  /// Limit for a pass shared by several draws, in bytes.
  [[nodiscard]] std::int64_t passBytes() const { return pass_bytes_; }
  /// Bytes of results per item.
  [[nodiscard]] std::int64_t bytesPerItem() const;
  /// Reads the probe's item again and returns its current probe; `index` is -1 if the item can no
  /// longer be read.
  [[nodiscard]] Expected<ContentProbe> probeAgain(const ContentProbe& probe) const;

  /// Call before the first run() if an earlier session already processed `items_done` items, with
  /// the findings `earlier`.
  void resumeFrom(const RunFindings& earlier, std::int64_t items_done);
  /// Sets the stage shown in progress reports.
  void setStage(std::string stage) { stage_ = std::move(stage); }
  /// Sets the total number of items for progress reports; by default, the size of the dataset.
  void setTotal(std::int64_t items) { total_ = items; }
  /// Adds a note about how the run was computed.
  void addNote(std::string note) { meta_.notes.push_back(std::move(note)); }

  /// Computes the items [begin, end) and passes them to `sink` in parts, whenever sink.isDue() and
  /// at least every `max_items` items. Results finished before a cancellation or an early stop are
  /// passed on as the last part. Returns false if stopped early.
  [[nodiscard]] Expected<bool> run(std::int64_t begin, std::int64_t end, std::int64_t max_items,
                                   PartSink& sink);

  /// Call after the last run(): checks the findings of all parts and completes meta().
  [[nodiscard]] Expected<RunMeta> finish(const RunFindings& all, bool stopped_early);

 private:
  class Pending;

  [[nodiscard]] std::int64_t draws() const;
  [[nodiscard]] bool withDropout() const;
  [[nodiscard]] bool dependsOnBatch() const;
  /// Items per batch if they fit into memory.
  [[nodiscard]] std::int64_t wantedBatch() const {
    return std::min(options_.batch, dataset_.size());
  }
  [[nodiscard]] RunShape shape() const;
  [[nodiscard]] Status chooseSizes();
  /// The largest batch up to `wanted` that fits into memory, the same on all ranks.
  [[nodiscard]] Expected<BatchSize> batchInMemory(std::int64_t wanted) const;
  [[nodiscard]] Status chooseBatch();
  void chooseKeptDraws();
  void describe();
  /// Notes how the items and their labels fit the network.
  [[nodiscard]] Status noteInputs();
  [[nodiscard]] Status makePredictor();
  /// Of the rows of a batch, whose items have these ids.
  [[nodiscard]] std::vector<ContentHash> contentHashes(const Batch& batch,
                                                       std::span<const std::int64_t> ids) const;
  [[nodiscard]] Expected<BatchOutcome> addBatch(const DeviceBatch& loaded, std::int64_t items,
                                                Pending& pending);
  [[nodiscard]] Status handOver(Pending& pending, PartSink& sink);
  [[nodiscard]] Expected<bool> runBatches(std::int64_t end, PartSink& sink, Pending& pending);

  const Model& model_;
  const Dataset& dataset_;
  MethodOptions method_;
  PredictOptions options_;
  RunContext& context_;
  std::optional<ModelLabels> labels_;
  std::optional<NetworkOnDevice> network_;
  std::uint64_t state_hash_ = 0;
  std::unique_ptr<BatchPredictor> predictor_;
  RunMeta meta_;
  std::string stage_ = "predicting";
  std::optional<RunSizes> earlier_sizes_;
  std::int64_t batch_ = 1;
  std::int64_t pass_bytes_ = 0;
  std::int64_t items_done_ = 0;  ///< processed items of the dataset, skipped ones included
  std::int64_t total_ = 0;       ///< total for the progress of items_done_
  bool keep_samples_ = false;
};

}  // namespace dubito
