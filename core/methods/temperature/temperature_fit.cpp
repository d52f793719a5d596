// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/decisions/temperature_scaling.h"
#include "core/methods/scaling_fit.h"
#include "core/methods/temperature/temperature_options.h"

namespace dubito {

Expected<TemperatureOptions> MethodTraits<TemperatureOptions>::prepare(
    const TemperatureOptions& chosen, const Model& model, const MethodData& data,
    const PredictOptions& predict, RunContext& context) {
  if (chosen.temperature) {
    if (data.calibration || data.calibration_run.run) {
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format("the temperature is given as {}, so there is nothing to fit on a calibration "
                      "set; omit one of them",
                      *chosen.temperature),
          {setting("temperature"), setting("calibration")});
    }
    return chosen;
  }
  if (!data.calibration && !data.calibration_run.run) {
    return fail(ErrorCode::kInvalidArgument,
                "the temperature is fitted on a calibration set; give one, or the number itself",
                {setting("calibration"), setting("temperature")});
  }
  const auto logits = calibrationLogits(model, data, predict, context);
  if (!logits) {
    return failWith(logits);
  }
  const auto fit = fitTemperature(logits->table, context);
  if (!fit) {
    return failWith(fit);
  }
  constexpr const char* kLimits[] = {"none", "smallest", "largest", "undetermined"};
  nlohmann::json object = scalingJson(logits->calibration, fit->items, fit->before, fit->after);
  object["temperature"] = fit->temperature;
  object["limit"] = kLimits[static_cast<int>(fit->limit)];
  TemperatureOptions ready = chosen;
  ready.temperature = fit->temperature;
  ready.fit = scalingReport(object, describe(*fit), *logits);
  return ready;
}

}  // namespace dubito
