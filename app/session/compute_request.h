// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/base/memory_budget.h"
#include "core/inference/fitting/method_data.h"

namespace dubito {

/// A dataset and its name in tables.
struct NamedDataset {
  std::string name;
  DatasetPtr dataset;
};

/// Everything that one press of Compute starts; seed, device and threads are in the RunContext.
struct ComputeRequest {
  ModelPtr model;
  NamedDataset in;
  std::vector<NamedDataset> ood;
  MethodOptions method = McDropoutOptions{};
  /// Data to fit the method on; computeAnalysis adds the evaluated datasets.
  MethodData data;
  PredictOptions predict;
  EvaluationOptions evaluation;
  /// Source of the RunContext's budget, for a child process.
  MemoryOptions memory;
};

/// Sizes of the datasets to fit the method on.
[[nodiscard]] std::vector<std::int64_t> fitSizes(const ComputeRequest& request);
/// Number of items that go through the network: for the fit and for predictions.
[[nodiscard]] std::int64_t networkItemCount(const ComputeRequest& request);

/// Predicts one dataset of a request; `number` counts from 0, the in-distribution one.
using PredictDataset = std::function<Expected<Run>(const NamedDataset& named, std::size_t number)>;

/// Predicts all datasets of `request` with `predict`, the in-distribution one first. Stopping early
/// skips OOD datasets not yet started and notes them in the first run. Blocking.
[[nodiscard]] Expected<std::vector<AnalysisPart>> predictParts(const ComputeRequest& request,
                                                               const PredictDataset& predict,
                                                               RunContext& context);

/// Fits the method if required, predicts the in-distribution dataset and every OOD dataset, and
/// evaluates; each is a stage of one progress in items (WholeProgress). Stopping early evaluates
/// what is done; OOD datasets not yet started are skipped and noted in the run. Blocking; for a
/// worker thread.
[[nodiscard]] Expected<AnalysisPtr> computeAnalysis(const ComputeRequest& request,
                                                    RunContext& context);

/// Whether any dropout site can be switched on and has a drop rate above 0.
[[nodiscard]] bool hasDropout(const Model& model);
/// Whether the draws of `method` need dropout that `model` was not trained with.
[[nodiscard]] bool wouldInsertDropout(const MethodOptions& method, const Model& model);
/// Default method for a model: MC dropout if it has dropout, else MAP, because inserted sites were
/// not part of its training.
[[nodiscard]] MethodOptions suitableMethod(const Model& model);

/// The draws [T, K] of one item: stored, or recomputed by key if the run did not store them. Empty
/// if the method has none, or if the model or the item is not available. Blocking.
[[nodiscard]] Expected<Array<float>> drawsOf(const Analysis& analysis, ItemRef item,
                                             RunContext& context);
/// Whether drawsOf() needs the network for this item.
[[nodiscard]] bool drawsNeedModel(const Analysis& analysis, ItemRef item);

}  // namespace dubito
