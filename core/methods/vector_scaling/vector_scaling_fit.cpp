// SPDX-License-Identifier: GPL-3.0-or-later
#include <nlohmann/json.hpp>

#include "core/decisions/vector_scaling.h"
#include "core/methods/scaling_fit.h"
#include "core/methods/vector_scaling/vector_scaling_options.h"

namespace dubito {

Expected<VectorScalingOptions> MethodTraits<VectorScalingOptions>::prepare(
    const VectorScalingOptions& chosen, const Model& model, const MethodData& data,
    const PredictOptions& predict, RunContext& context) {
  if (!data.calibration && !data.calibration_run.run) {
    return fail(ErrorCode::kInvalidArgument,
                "vector scaling is fitted on a calibration set; give one",
                {setting("calibration")});
  }
  const auto logits = calibrationLogits(model, data, predict, context);
  if (!logits) {
    return failWith(logits);
  }
  const auto fit = fitVectorScaling(logits->table, context);
  if (!fit) {
    return failWith(fit);
  }
  nlohmann::json object = scalingJson(logits->calibration, fit->items, fit->before, fit->after);
  object["weight"] = fit->weight;
  object["bias"] = fit->bias;
  object["converged"] = fit->converged;
  object["determined"] = fit->determined;
  VectorScalingOptions ready = chosen;
  ready.scaling = {fit->weight, fit->bias};
  ready.fit = scalingReport(object, describe(*fit), *logits);
  return ready;
}

}  // namespace dubito
