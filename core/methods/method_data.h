// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/io/run.h"
#include "core/models/model.h"
#include "core/predict/predict.h"

namespace dubito {

/// A run and its name in messages.
struct CalibrationRun {
  std::string name;
  std::shared_ptr<const Run> run = nullptr;
};

/// Data for fitting a method. All fields are optional; each method uses those that it needs.
struct MethodData {
  /// Training items.
  DatasetPtr fit = nullptr;
  /// Labelled items used neither for training nor for evaluation.
  DatasetPtr calibration = nullptr;
  /// Alternative to `calibration`: a run of the method map on such items.
  CalibrationRun calibration_run = {};
  /// File of a previously fitted posterior, or where to write a new one; empty: none.
  std::string posterior_path = {};
  /// Used if posterior_path is empty: file to which a newly fitted posterior is saved if a later
  /// step fails; empty: none.
  std::string rescue_path = {};
  /// Datasets that will be predicted; fitting on their items is an error.
  std::vector<DatasetPtr> evaluated = {};
  /// Allow fitting on items of `evaluated`; recorded in the runs.
  bool allow_same_split = false;
};

/// Fits `method` if it needs a fit, and returns it ready for predict and predictToFile. Methods
/// that need no fit, or are already fitted, are returned unchanged. `options` controls how the
/// network is run on the data. kInvalidArgument if data is missing, has no labels or shares items
/// with the evaluated datasets; errors of predict and sharedItems; kCancelled.
[[nodiscard]] Expected<MethodOptions> prepareMethod(const Model& model, const MethodOptions& method,
                                                    const MethodData& data,
                                                    const PredictOptions& options,
                                                    RunContext& context);

/// Saves the posterior of `method` to data.rescue_path, if it was fitted and not saved to
/// data.posterior_path, and returns `failure` with the location added. Call it if a step after
/// prepareMethod fails.
[[nodiscard]] Error savePosteriorOnFailure(const Error& failure, const MethodOptions& method,
                                           const MethodData& data, const RunContext& context);

/// Compares `fitted` with everything in data.evaluated (checkSharedItems); returns notes on
/// accepted overlaps. For the fits of prepareMethod.
[[nodiscard]] Expected<std::vector<std::string>> checkSplit(
    const Model& model, const std::string& purpose, const Dataset& fitted, const MethodData& data,
    const PredictOptions& options, RunContext& context);

}  // namespace dubito
