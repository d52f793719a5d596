// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inference/derived/tuned_temperature.h"

#include <fmt/format.h>

#include "core/decisions/tempered_run.h"

namespace dubito {

Expected<CalibratedTemperature> fitTunedTemperature(const Run& calibration, const std::string& name,
                                                    const RunTuning& tuning, RunContext& context) {
  const auto staged = tunedRun(calibration, firstStep(tuning), context);
  if (!staged) {
    return failWith(staged);
  }
  const auto table = temperedLogits(*staged, name);
  if (!table) {
    return failWith(table);
  }
  const auto fit = fitTemperature(*table, context);
  if (!fit) {
    return failWith(fit);
  }
  return CalibratedTemperature{
      *fit, table->notes,
      fmt::format("fitted on {} items of {}", fit->items, calibration.meta.dataset_name)};
}

}  // namespace dubito
