// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/data/device/device_batches_torch.h"
#include "core/predict/prepared_prediction_torch.h"
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
  /// The stage shown in progress reports.
  [[nodiscard]] virtual std::string stage() const { return "predicting"; }
};

/// Runs a prepared prediction batch by batch, and passes the results to a PartSink.
class PredictionLoop {
 public:
  /// A new prediction. `prepared` must outlive the object; it has one loop at a time.
  explicit PredictionLoop(PreparedPrediction& prepared);
  /// An earlier session already processed `items_done` items, with the findings `earlier`. Progress
  /// reports count up to `total` items.
  PredictionLoop(PreparedPrediction& prepared, const RunFindings& earlier, std::int64_t items_done,
                 std::int64_t total);

  /// Computes the items [begin, end) and passes them to `sink` in parts, whenever sink.isDue() and
  /// at least every `max_items` items. Results finished before a cancellation or an early stop are
  /// passed on as the last part. Returns false if stopped early.
  [[nodiscard]] Expected<bool> run(std::int64_t begin, std::int64_t end, std::int64_t max_items,
                                   PartSink& sink);

  /// Checks the findings of all parts, those of earlier sessions included, and returns the complete
  /// metadata of the run.
  [[nodiscard]] Expected<RunMeta> finish(const RunFindings& all, bool stopped_early) &&;

 private:
  class Pending;

  /// Of the rows of a batch, whose items have these ids.
  [[nodiscard]] std::vector<ContentHash> contentHashes(const Batch& batch,
                                                       std::span<const std::int64_t> ids) const;
  [[nodiscard]] Expected<BatchOutcome> addBatch(const DeviceBatch& loaded, std::int64_t items,
                                                const std::string& stage, Pending& pending);
  [[nodiscard]] Status handOver(Pending& pending, PartSink& sink);
  [[nodiscard]] Expected<bool> runBatches(std::int64_t end, PartSink& sink, Pending& pending);

  PreparedPrediction& prepared_;
  std::int64_t items_done_;  ///< processed items of the dataset, skipped ones included
  std::int64_t total_;       ///< total for the progress of items_done_
};

}  // namespace dubito
