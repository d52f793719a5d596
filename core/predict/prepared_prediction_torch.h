// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/methods/batch_predictor_torch.h"
#include "core/methods/predict_options.h"
#include "core/network/batch_size_torch.h"
#include "core/predict/model_labels.h"
#include "core/predict/run_findings.h"
#include "core/runs/run_shape.h"

namespace dubito {

/// Sizes that are chosen to fit into memory and affect the results of a run.
struct RunSizes {
  std::int64_t batch = 1;  ///< items per batch
  bool keeps_draws = false;
  std::int64_t pass_bytes = 0;  ///< limit for a pass shared by several draws
};

/// One method, ready to run on one dataset. A PredictionLoop computes the items.
class PreparedPrediction {
 public:
  /// Checks the options against model and dataset, chooses the sizes and places the network on its
  /// device. All references must outlive the result. `earlier`: the sizes of parts of the run that
  /// were computed before; the remaining parts use the same sizes, regardless of how much memory is
  /// free now, and kOutOfMemory is returned if such batches do not fit.
  [[nodiscard]] static Expected<std::unique_ptr<PreparedPrediction>> of(
      const Model& model, const Dataset& dataset, MethodOptions method,
      const PredictOptions& options, RunContext& context,
      const std::optional<RunSizes>& earlier = std::nullopt);

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
  /// Adds a note about how the run was computed.
  void addNote(std::string note) { meta_.notes.push_back(std::move(note)); }

 private:
  friend class PredictionLoop;

  PreparedPrediction(const Model& model, const Dataset& dataset, MethodOptions method,
                     const PredictOptions& options, RunContext& context, ModelLabels labels,
                     NetworkOnDevice network);

  [[nodiscard]] std::int64_t draws() const;
  [[nodiscard]] bool withDropout() const;
  [[nodiscard]] bool dependsOnBatch() const;
  /// Items per batch if they fit into memory.
  [[nodiscard]] std::int64_t wantedBatch() const {
    return std::min(options_.batch, dataset_.size());
  }
  [[nodiscard]] RunShape shape() const;
  [[nodiscard]] Status chooseSizes(const std::optional<RunSizes>& earlier);
  /// The largest batch up to `wanted` that fits into memory, the same on all ranks.
  [[nodiscard]] Expected<BatchSize> batchInMemory(std::int64_t wanted) const;
  [[nodiscard]] Status chooseBatch(const std::optional<RunSizes>& earlier);
  void chooseKeptDraws(const std::optional<RunSizes>& earlier);
  void describe();
  /// Notes how the items and their labels fit the network.
  [[nodiscard]] Status noteInputs();
  [[nodiscard]] Status makePredictor();

  const Model& model_;
  const Dataset& dataset_;
  MethodOptions method_;
  PredictOptions options_;
  RunContext& context_;
  ModelLabels labels_;
  NetworkOnDevice network_;
  std::uint64_t state_hash_;
  std::unique_ptr<BatchPredictor> predictor_;
  RunMeta meta_;
  std::int64_t batch_ = 1;
  std::int64_t pass_bytes_ = 0;
  bool keep_samples_ = false;
};

}  // namespace dubito
