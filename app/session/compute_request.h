// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/base/memory_budget.h"
#include "core/inference/fitting/method_data.h"

namespace dubito {

/// A dataset with the name under which tables show it.
struct NamedDataset {
  std::string name;
  DatasetPtr dataset;
};

/// All that one press of Compute is to do; seed, device and threads are in the RunContext.
struct ComputeRequest {
  ModelPtr model;
  NamedDataset in;
  std::vector<NamedDataset> ood;
  MethodOptions method = McDropoutOptions{};
  /// What the method is fitted on; computeAnalysis adds what is evaluated.
  MethodData data;
  PredictOptions predict;
  EvaluationOptions evaluation;
  /// Where the RunContext's budget comes from; another process is given it.
  MemoryOptions memory;
};

/// Sizes of the datasets that the method is fitted on.
[[nodiscard]] std::vector<std::int64_t> fitSizes(const ComputeRequest& request);
/// Items that pass through the network for all of the request: fitted on and predicted.
[[nodiscard]] std::int64_t itemsToPass(const ComputeRequest& request);

/// How one dataset of a request becomes a run; `number` counts from 0, the in-distribution one.
using PredictDataset = std::function<Expected<Run>(const NamedDataset& named, std::size_t number)>;

/// All datasets of `request`, the in-distribution one first, each predicted by `predict`. Stopping
/// early leaves out the OOD datasets not begun by then and notes them in the first run. Blocking.
[[nodiscard]] Expected<std::vector<AnalysisPart>> predictParts(const ComputeRequest& request,
                                                               const PredictDataset& predict,
                                                               RunContext& context);

/// Fits the method where it needs it, predicts the in-distribution dataset, then every OOD dataset,
/// then evaluates: one stage each of one progress in items (WholeProgress). Stopping early
/// evaluates what is there; OOD datasets not begun by then are left out and noted in the run.
/// Blocking; for a worker thread.
[[nodiscard]] Expected<AnalysisPtr> computeAnalysis(const ComputeRequest& request,
                                                    RunContext& context);

/// Dropout sites that can be switched on and drop something.
[[nodiscard]] bool hasDropout(const Model& model);
/// Whether the draws of `method` need dropout that `model` was not trained with.
[[nodiscard]] bool wouldInsertDropout(const MethodOptions& method, const Model& model);
/// What a computation begins with: MC dropout if the model has dropout, else MAP, because a site
/// that is inserted was no part of training.
[[nodiscard]] MethodOptions suitableMethod(const Model& model);

/// The draws [T, K] of one item: the stored ones, or recomputed by key where the run did not keep
/// them. Empty where the method has none or the model or item is not here. Blocking.
[[nodiscard]] Expected<Array<float>> drawsOf(const Analysis& analysis, ItemRef item,
                                             RunContext& context);
/// drawsOf needs the network for this analysis.
[[nodiscard]] bool drawsNeedModel(const Analysis& analysis, ItemRef item);

}  // namespace dubito
