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

#include "core/inference/networks/batch_size_torch.h"
#include "core/inference/options/predict_options.h"
#include "core/inference/predictors/batch_predictor_torch.h"
#include "core/inference/rows/labels.h"
#include "core/inference/rows/run_builder.h"
#include "core/inference/rows/run_findings.h"

namespace dubito {

/// The items [begin, end) of a dataset, computed.
struct ComputedPart {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  Run run = {};  ///< without meta; no items where none could be used
  RunFindings findings = {};
  ContentProbe probe = {};
};

/// Takes the results of a prediction, part after part.
class PartSink {
 public:
  virtual ~PartSink() = default;
  /// Whether what has been computed since `begun` is to be handed over now.
  [[nodiscard]] virtual bool isDue(std::int64_t items,
                                   std::chrono::steady_clock::time_point begun) const = 0;
  [[nodiscard]] virtual Status take(ComputedPart part) = 0;
};

/// What the memory of a machine decides of a run and its results depend on.
struct RunSizes {
  std::int64_t batch = 1;  ///< items per batch
  bool keeps_draws = false;
  std::int64_t pass_bytes = 0;  ///< that a pass may take which several draws share
};

/// One method at work on one dataset: drives the batches, whatever becomes of their results.
class PredictionLoop {
 public:
  /// All of them outlive the object.
  PredictionLoop(const Model& model, const Dataset& dataset, MethodOptions method,
                 const PredictOptions& options, RunContext& context);
  ~PredictionLoop();

  /// Before prepare(): parts of the run were computed with these sizes. The rest takes them too,
  /// whatever memory is free now; prepare() fails with kOutOfMemory if their batches do not fit.
  void resumeSizes(const RunSizes& sizes) { earlier_sizes_ = sizes; }
  /// Checks the options against model and dataset and places the network. To be called first.
  [[nodiscard]] Status prepare();

  /// How the run comes about, without findings.
  [[nodiscard]] const RunMeta& meta() const { return meta_; }
  /// All that decides the results, by what a person calls it: two sessions that agree in it may
  /// share the items of one run.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> identity() const;
  /// Items a batch. Parts begin at its multiples, so that a run in parts has the same batches.
  [[nodiscard]] std::int64_t batch() const { return batch_; }
  /// Bytes that a pass may take which several draws share.
  [[nodiscard]] std::int64_t passBytes() const { return pass_bytes_; }
  /// Bytes of an item's results.
  [[nodiscard]] std::int64_t bytesPerItem() const;
  /// The item that `probe` names as it is now; no index where it cannot be read any more.
  [[nodiscard]] Expected<ContentProbe> probeAgain(const ContentProbe& probe) const;

  /// Before the first run(): an earlier session did this much of the dataset.
  void resumeFrom(const RunFindings& earlier, std::int64_t items_done);
  /// Shown as the stage of the progress.
  void setStage(std::string stage) { stage_ = std::move(stage); }
  /// Items of which the progress speaks; by default all of the dataset.
  void setTotal(std::int64_t items) { total_ = items; }
  /// What a reader of the run must know of how it was computed.
  void addNote(std::string note) { meta_.notes.push_back(std::move(note)); }

  /// Computes the items [begin, end), in parts where the sink finds them due, which have at most
  /// `most_items` items. What is done when a cancel or an early stop ends it is handed over as a
  /// last part. False: stopped early.
  [[nodiscard]] Expected<bool> run(std::int64_t begin, std::int64_t end, std::int64_t most_items,
                                   PartSink& sink);

  /// After the last run(): checks the findings of all parts and completes meta().
  [[nodiscard]] Expected<RunMeta> finish(const RunFindings& all, bool stopped_early);

 private:
  class Pending;

  [[nodiscard]] std::int64_t draws() const;
  /// Items per batch if memory has room for them.
  [[nodiscard]] std::int64_t wantedBatch() const {
    return std::min(options_.batch, dataset_.size());
  }
  [[nodiscard]] RunShape shape() const;
  [[nodiscard]] Status chooseSizes();
  /// As many of `wanted` items as fit into memory, the same on all ranks.
  [[nodiscard]] Expected<BatchSize> batchInMemory(std::int64_t wanted) const;
  [[nodiscard]] Status chooseBatch();
  void chooseKeptDraws();
  void describe();
  [[nodiscard]] Status makePredictor();
  [[nodiscard]] Expected<BatchOutcome> addBatch(const Batch& batch, std::int64_t items,
                                                Pending& pending);
  [[nodiscard]] Status handOver(Pending& pending, PartSink& sink);
  [[nodiscard]] Expected<bool> runBatches(std::int64_t end, PartSink& sink, Pending& pending);

  const Model& model_;
  const Dataset& dataset_;
  MethodOptions method_;
  PredictOptions options_;
  RunContext& context_;
  std::optional<LabelsForModel> labels_;
  std::optional<NetworkOnDevice> network_;
  std::uint64_t state_hash_ = 0;
  std::unique_ptr<BatchPredictor> predictor_;
  RunMeta meta_;
  std::string stage_ = "predicting";
  std::optional<RunSizes> earlier_sizes_;
  std::int64_t batch_ = 1;
  std::int64_t pass_bytes_ = 0;
  std::int64_t items_done_ = 0;  ///< of the dataset, skipped ones included
  std::int64_t total_ = 0;       ///< of which items_done_ are done
  bool keep_samples_ = false;
};

}  // namespace dubito
