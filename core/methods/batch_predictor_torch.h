// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/methods/method_options.h"
#include "core/network/network_on_device_torch.h"
#include "core/network/rows_that_fit.h"
#include "core/network/stochastic_network_torch.h"
#include "core/predict/run_findings.h"
#include "core/runs/run_builder.h"

namespace dubito {

/// One batch to predict.
struct PredictionBatch {
  const Batch* batch = nullptr;
  /// networkInput of the batch, on the CPU or the network's device; do not write to it.
  at::Tensor inputs = {};
  std::span<const std::int64_t> ids;  ///< per row
  /// Call after every pass with the number of finished passes; the result says whether to continue.
  std::function<Step(std::int64_t passes)> step;

  /// Positions in the dataset of the rows [begin, end).
  [[nodiscard]] std::span<const std::int64_t> indices(std::int64_t begin, std::int64_t end) const {
    return std::span(batch->indices)
        .subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
  }
  [[nodiscard]] std::span<const std::int64_t> idsOf(std::int64_t begin, std::int64_t end) const {
    return ids.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
  }
};

/// Result of addBatch. kStopped: cancelled or stopped early, without results for the batch.
enum class BatchOutcome { kDone, kStopped };

/// Runs a method on one model: computes the rows of a run from batches. By default, predictors have
/// no findings of their own and do not check the run.
class BatchPredictor {
 public:
  virtual ~BatchPredictor() = default;
  /// Adds the results of the batch to `builder`; the caller adds ids and labels
  /// (RunBuilder::addItem). If stopped, the builder is left unchanged.
  [[nodiscard]] virtual Expected<BatchOutcome> addBatch(const PredictionBatch& work,
                                                        RunBuilder& builder) = 0;
  /// Moves the method's own findings since the last call into `findings`.
  virtual void takeFindings(RunFindings& /*findings*/) {}
  /// Called before the first batch if an earlier session computed other items of the same run.
  virtual void resumeFrom(const RunFindings& /*earlier*/) {}
  /// Called after the last batch: checks the run as a whole and adds the method's notes.
  [[nodiscard]] virtual Status finish(const RunFindings& /*all*/, RunMeta& meta) {
    addNotes(rows_.notes(), meta);
    return {};
  }

 protected:
  /// `with_dropout`: whether the predictor switches dropout on.
  explicit BatchPredictor(const Model& model, bool with_dropout = false)
      : rows_(!model.audit().batch.affects(with_dropout)) {}
  static void addNotes(const std::vector<std::string>& notes, RunMeta& meta) {
    meta.notes.insert(meta.notes.end(), notes.begin(), notes.end());
  }
  /// Controls how many items run through the network at a time.
  [[nodiscard]] RowsThatFit& rows() { return rows_; }

 private:
  RowsThatFit rows_;
};

/// Model, dataset and resources of a predictor. All references must outlive the predictor.
struct PredictorInputs {
  const Model& model;
  const Dataset& dataset;
  const NetworkOnDevice& network;
  std::int64_t pass_bytes = 0;  ///< limit for a pass shared by several draws
  const RunContext& context;
};

}  // namespace dubito
