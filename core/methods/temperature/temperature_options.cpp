// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/methods/temperature/temperature_options.h"

#include "core/decisions/temperature_scaling.h"
#include "core/methods/saved_fit.h"

namespace dubito {

std::vector<Field> TemperatureOptions::fields() {
  return {
      {{.name = "temperature",
        .label = "Temperature",
        .help = "divides the logits; by default fitted on the calibration set",
        .min = kSmallestTemperature,
        .max = kLargestTemperature},
       &temperature},
  };
}

Status TemperatureOptions::check() const {
  TemperatureOptions copy = *this;
  return checkFields(copy.fields());
}

bool MethodTraits<TemperatureOptions>::restore(TemperatureOptions& options, const SavedFit& saved) {
  if (saved.json.is_object()) {
    options.fit = saved.report();
  }
  return options.temperature.has_value();
}

}  // namespace dubito
