// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/base/memory_budget.h"
#include "core/methods/method_data.h"

namespace dubito {

/// A dataset and its name in tables.
struct NamedDataset {
  std::string name;
  DatasetPtr dataset;
};

/// Input of one computation, as started by the Compute button. Seed, device and threads are in the
/// RunContext.
struct ComputeRequest {
  ModelPtr model;
  NamedDataset in;                ///< in-distribution dataset
  std::vector<NamedDataset> ood;  ///< OOD datasets
  MethodOptions method = McDropoutOptions{};
  /// Data to fit the method on; computeAnalysis adds the evaluated datasets.
  MethodData data;
  PredictOptions predict;
  EvaluationOptions evaluation;
  std::string note = {};  ///< of the in-distribution run; empty: none
  /// Memory options from which the budget of the RunContext was computed, passed to a child
  /// process.
  MemoryOptions memory;
};

/// Sizes of the datasets that the method is fitted on.
[[nodiscard]] std::vector<std::int64_t> fitSizes(const ComputeRequest& request);
/// Total number of items passed through the network, for the fit and the predictions.
[[nodiscard]] std::int64_t networkItemCount(const ComputeRequest& request);

/// Predicts one dataset of a request. `number` is 0 for the in-distribution dataset, then 1, 2, ...
using PredictDataset = std::function<Expected<Run>(const NamedDataset& named, std::size_t number)>;

/// Predicts all datasets of `request` with `predict`, the in-distribution dataset first. If stopped
/// early, skips OOD datasets that have not been started and notes them in the first run. Blocking.
[[nodiscard]] Expected<std::vector<AnalysisPart>> predictParts(const ComputeRequest& request,
                                                               const PredictDataset& predict,
                                                               RunContext& context);

/// Fits the method if required, predicts all datasets (predictParts) and evaluates the runs.
/// Reports one overall progress in items (WholeProgress). If stopped early, evaluates the
/// predictions made so far. Blocking; call it on a worker thread.
[[nodiscard]] Expected<AnalysisPtr> computeAnalysis(const ComputeRequest& request,
                                                    RunContext& context);

/// Whether any usable dropout site has a drop rate above 0.
[[nodiscard]] bool hasDropout(const Model& model);
/// Whether `method` would insert dropout that `model` was not trained with.
[[nodiscard]] bool wouldInsertDropout(const MethodOptions& method, const Model& model);
/// Default method for a model: MC dropout if the model has dropout, else MAP, because the model was
/// not trained with inserted dropout.
[[nodiscard]] MethodOptions suitableMethod(const Model& model);

/// The draws [T, K] of one item: the stored ones, else recomputed with the random keys of the run.
/// Empty if the method has no draws, or if the model or the item is not available. Blocking.
[[nodiscard]] Expected<Array<float>> drawsOf(const Analysis& analysis, ItemRef item,
                                             RunContext& context);
/// Whether drawsOf() would run the network for this item.
[[nodiscard]] bool drawsNeedModel(const Analysis& analysis, ItemRef item);

}  // namespace dubito
