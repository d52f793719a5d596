// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/inference/runs/predict.h"
#include "core/io/run.h"
#include "core/models/model.h"

namespace dubito {

/// A run with the name that messages call it by.
struct CalibrationRun {
  std::string name;
  std::shared_ptr<const Run> run = nullptr;
};

/// What a method is fitted on beside the model; all of it is optional, and each method takes what
/// it needs.
struct MethodData {
  /// Training items.
  DatasetPtr fit = nullptr;
  /// Items with labels that neither training nor evaluation uses, or a map run over such items.
  DatasetPtr calibration = nullptr;
  CalibrationRun calibration_run = {};
  /// File of a posterior that was fitted earlier, or is to be written; empty: none.
  std::string posterior_path = {};
  /// Without posterior_path: file to which a posterior that was fitted is written when a later step
  /// fails, so that the fit is not lost; empty: none.
  std::string rescue_path = {};
  /// What will be predicted; fitting on its items is refused.
  std::vector<DatasetPtr> evaluated = {};
  /// Fit on them all the same; the runs say so.
  bool allow_same_split = false;
};

/// Fits what `method` needs before it can predict, and returns it ready: predict and predictToFile
/// take the result. Methods that need nothing, or have it already, come back as they are. `options`
/// says how networks are run on the data. kInvalidArgument where data is missing, has no labels or
/// shares items with what is evaluated; what predict and sharedItems return; kCancelled.
[[nodiscard]] Expected<MethodOptions> prepareMethod(const Model& model, const MethodOptions& method,
                                                    const MethodData& data,
                                                    const PredictOptions& options,
                                                    RunContext& context);

/// Writes the posterior of `method`, if it was fitted and data.posterior_path did not keep it, to
/// data.rescue_path, and returns `failure` with where it is. For steps that fail after
/// prepareMethod.
[[nodiscard]] Error keepingPosterior(const Error& failure, const MethodOptions& method,
                                     const MethodData& data, const RunContext& context);

/// Compares `fitted` with everything in data.evaluated (judgeSplit): notes for what is let through.
/// For the fits of prepareMethod.
[[nodiscard]] Expected<std::vector<std::string>> checkSplit(
    const Model& model, const std::string& purpose, const Dataset& fitted, const MethodData& data,
    const PredictOptions& options, RunContext& context);

}  // namespace dubito
