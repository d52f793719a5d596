// SPDX-License-Identifier: GPL-3.0-or-later
// What the methods that scale logits have in common: they are fitted on the logits of items that
// the network was not trained on.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/decisions/logit_table.h"
#include "core/methods/method_data.h"

namespace dubito {

/// A run to fit on, with notes about it.
struct Calibration {
  CalibrationRun source;
  std::vector<std::string> notes;
};

/// Logits to fit on, and their source.
struct CalibrationLogits {
  Calibration calibration;
  LogitTable table;
};

/// The logits of data.calibration, predicted by the network alone, or else of data.calibration_run;
/// one of them must be set. kInvalidArgument if that run has other classes or is of a method that
/// changes the logits, or if items are shared with the evaluated datasets; errors of predict() and
/// logitsOfRun().
[[nodiscard]] Expected<CalibrationLogits> calibrationLogits(const Model& model,
                                                            const MethodData& data,
                                                            const PredictOptions& options,
                                                            RunContext& context);

/// What the metadata of all such fits contain.
[[nodiscard]] nlohmann::json scalingJson(const Calibration& calibration, std::int64_t items,
                                         const CalibrationScores& before,
                                         const CalibrationScores& after);

/// The fit `fit`, with its description and the notes about the logits.
[[nodiscard]] MethodFitPtr scalingReport(const nlohmann::json& fit, std::string description,
                                         const CalibrationLogits& logits);

}  // namespace dubito
