// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/decisions/temperature.h"
#include "core/inference/derived/tuned_run.h"

namespace dubito {

/// The temperature of a fit, with where it comes from.
struct CalibratedTemperature {
  TemperatureFit fit;
  /// What a reader of the fit must know, as LogitTable::notes.
  std::vector<std::string> notes;
  std::string source;  ///< "fitted on 1 000 items of NAME", as RunTuning::temperature_source
};

/// Fits the temperature that comes after the firstStep of `tuning` to `calibration`, a run of the
/// same method over other items, which errors call `name`. Errors of tunedRun, temperedLogits and
/// fitTemperature.
[[nodiscard]] Expected<CalibratedTemperature> fitTunedTemperature(const Run& calibration,
                                                                  const std::string& name,
                                                                  const RunTuning& tuning,
                                                                  RunContext& context);

}  // namespace dubito
