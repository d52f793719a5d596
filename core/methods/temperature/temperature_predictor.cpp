// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/methods/map/map_predictor_torch.h"
#include "core/methods/temperature/temperature_options.h"

namespace dubito {

Expected<std::unique_ptr<BatchPredictor>> MethodTraits<TemperatureOptions>::makePredictor(
    const TemperatureOptions& chosen, const PredictorInputs& inputs) {
  if (!chosen.temperature) {
    return fail(ErrorCode::kInvalidArgument,
                "the temperature is missing; give a calibration set, or the number itself",
                {setting("calibration"), setting("temperature")});
  }
  return makeMapPredictor(inputs, LogitScaling{{1.0 / *chosen.temperature}, {}});
}

}  // namespace dubito
