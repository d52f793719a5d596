// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/methods/map/map_predictor_torch.h"
#include "core/methods/vector_scaling/vector_scaling_options.h"

namespace dubito {

Expected<std::unique_ptr<BatchPredictor>> MethodTraits<VectorScalingOptions>::makePredictor(
    const VectorScalingOptions& chosen, const PredictorInputs& inputs) {
  if (!chosen.scaling) {
    return fail(ErrorCode::kInvalidArgument, "the scaling is missing; give a calibration set",
                {setting("calibration")});
  }
  return makeMapPredictor(inputs, *chosen.scaling);
}

}  // namespace dubito
