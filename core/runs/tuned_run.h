// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/decisions/temperature_scaling.h"
#include "core/io/run.h"

namespace dubito {

/// Post-hoc changes to a run. The probabilities change first (fewer draws or another link), then
/// the temperature; neither needs the network.
struct RunTuning {
  /// Use only the first draws; empty: all.
  std::optional<std::int64_t> draws = std::nullopt;
  /// Link applied to the run's Gaussians over logits; empty: the run's own link.
  std::optional<std::string> link = std::nullopt;
  /// Prior precision of the Laplace posterior; empty: unchanged. Requires the network
  /// (PriorExplorer or a new prediction), so tunedRun returns an error if it differs from the
  /// run's.
  std::optional<double> tau = std::nullopt;
  double temperature = 1.0;
  /// Source of the temperature, as recorded in the run; empty: set manually.
  std::string temperature_source = {};

  friend bool operator==(const RunTuning&, const RunTuning&) = default;
};

/// `tuning` without its prior and temperature: the changes that tunedRun makes before it applies a
/// temperature.
[[nodiscard]] RunTuning tuningBeforeTemperature(const RunTuning& tuning);

/// The link of a run's Gaussians; empty if the run has no Gaussians or does not record the link.
[[nodiscard]] std::string linkOf(const Run& run);

/// The prior precision of a Laplace run; nullopt for other runs or if not recorded.
[[nodiscard]] std::optional<double> tauOf(const Run& run);

/// Whether `tuning` leaves the run unchanged: all draws, the run's own link and prior, T = 1.
[[nodiscard]] bool changesNothing(const RunTuning& tuning, const Run& run);

/// The run reduced to its first `draws` draws, identical to a new run with that many draws and the
/// same seed; with all draws, the run itself. kInvalidArgument if the run stores no draws or fewer
/// than `draws`, kCancelled.
[[nodiscard]] Expected<Run> firstDraws(const Run& run, std::int64_t draws,
                                       const RunContext& context);

/// The run with another link applied to the means and variances of its logits. Runs do not store
/// covariances between logits: "probit" needs none for three classes or more and is exact; other
/// links, and probit for two classes, are exact only for independent logits (a diagonal posterior),
/// else a note says so. Returns the run unchanged if
/// `link` is its own. kInvalidArgument if the run stores no Gaussians or the link is unknown,
/// kCancelled.
[[nodiscard]] Expected<Run> relinked(const Run& run, const std::string& link,
                                     const RunContext& context);

/// Applies the changes in the order described at RunTuning and records them in the metadata: the
/// method becomes "tuned", and its options store the method and options of `run` under "of", the
/// steps under "order", and the changed values. Returns the run unchanged if nothing changes.
/// kInvalidArgument for another prior; errors of the individual steps.
[[nodiscard]] Expected<Run> tunedRun(const Run& run, const RunTuning& tuning,
                                     const RunContext& context);

/// A fitted temperature and its source.
struct CalibratedTemperature {
  TemperatureFit fit;
  /// Caveats of the fit: LogitTable::notes, and describe() if the limit is not kInside.
  std::vector<std::string> notes;
  std::string source;  ///< "fitted on 1 000 items of NAME", as RunTuning::temperature_source
};

/// Applies tuningBeforeTemperature(tuning) to `calibration`, a run of the same method on other
/// items, and fits a temperature to the result. Errors refer to `calibration` as `name`. Errors of
/// tunedRun, temperedLogits and fitTemperature.
[[nodiscard]] Expected<CalibratedTemperature> fitTunedTemperature(const Run& calibration,
                                                                  const std::string& name,
                                                                  const RunTuning& tuning,
                                                                  RunContext& context);

}  // namespace dubito
