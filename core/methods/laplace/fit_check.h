// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/data/items/dataset.h"
#include "core/methods/method_options.h"
#include "core/methods/predict_options.h"
#include "core/models/model.h"

namespace dubito {

/// Predicts some of the items that `ready` was fitted on, by it and by the network alone (map), and
/// returns a note if it is right far less often (kMaxAccuracyLoss): a posterior that is wider than
/// the network's function is smooth. Without labels, the network's own predictions count as right.
/// Empty if it is not, or if the items cannot be predicted; kCancelled.
[[nodiscard]] Expected<std::string> fitCheckNote(const Model& model, const MethodOptions& ready,
                                                 const DatasetPtr& fitted,
                                                 const PredictOptions& options,
                                                 const RunContext& context);

/// Largest loss of accuracy on fitted items that needs no note.
inline constexpr double kMaxAccuracyLoss = 0.1;

}  // namespace dubito
