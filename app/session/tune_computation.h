// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/decisions/temperature.h"
#include "core/inference/derived/tuned_run.h"
#include "core/inference/laplace/prior_explorer.h"

namespace dubito {

/// Slider range of the temperature.
inline constexpr double kMinTunedTemperature = 0.1;
inline constexpr double kMaxTunedTemperature = 10.0;
/// Slider range of the prior precision.
inline constexpr double kMinTunedTau = 1e-4;
inline constexpr double kMaxTunedTau = 1e6;

/// Limits on the items for which a change is computed, over all parts.
struct TuneLimits {
  std::int64_t items_moving = 20'000;         ///< while a slider is dragged
  std::int64_t values_moving = 2'000'000;     ///< probabilities of these items
  std::int64_t draws_moving = 40'000'000;     ///< probabilities of their draws
  std::int64_t items_network = 4'000;         ///< items passed through the network for other priors
  std::int64_t values_resting = 100'000'000;  ///< probabilities of all items, slider at rest
};

/// What can be tuned of an analysis.
struct TunableParts {
  bool temperature = false;  ///< every part has class probabilities
  std::int64_t draws = 0;    ///< draws of every part; 0 if none or not the same number
  std::string link;          ///< of the logit Gaussians of every part; empty: none
  /// Prior precision, if posterior, network and items are available.
  std::optional<double> tau = std::nullopt;
};
[[nodiscard]] TunableParts tunableParts(const Analysis& analysis);

/// Draws, link and prior of a tuning: the key under which a fitted temperature is valid.
[[nodiscard]] RunTuning beforeTemperature(const RunTuning& tuning);

/// Some items of every part of an analysis, the in-distribution part first.
struct TuneItems {
  std::vector<std::shared_ptr<const Run>> runs;
  std::int64_t count = 0;
  std::int64_t labelled = 0;  ///< of the in-distribution part
  Evaluation before;          ///< as the analysis has them
};

/// An analysis prepared for tuning. Immutable.
struct TuneBasis {
  AnalysisPtr analysis;
  EvaluationOptions evaluation;
  /// Items shown while a slider is dragged, sampled by a key of their ids.
  std::shared_ptr<const TuneItems> moving;
  std::shared_ptr<const TuneItems> resting;  ///< slider at rest; the same object if equal
};
using TuneBasisPtr = std::shared_ptr<const TuneBasis>;

// The functions below are blocking; for a worker thread.

/// Errors of evaluate(), kCancelled.
[[nodiscard]] Expected<TuneBasisPtr> prepareTuning(const AnalysisPtr& analysis,
                                                   const EvaluationOptions& evaluation,
                                                   const TuneLimits& limits, RunContext& context);

/// Items passed through the network of an analysis with a Laplace posterior.
struct TuneNetwork {
  std::shared_ptr<const TuneItems> items;
  std::vector<std::shared_ptr<PriorExplorer>> tuners;  ///< one per part
};
using TuneNetworkPtr = std::shared_ptr<const TuneNetwork>;

/// For an analysis with tunableParts().tau. Runs torch. Errors of PriorExplorer::of().
[[nodiscard]] Expected<TuneNetworkPtr> passThroughNetwork(const TuneBasisPtr& basis,
                                                          const TuneLimits& limits,
                                                          const PredictOptions& options,
                                                          RunContext& context);

/// Runs after draws, link and prior were applied, before the temperature.
struct TuneStage {
  std::shared_ptr<const TuneItems> items;
  std::optional<std::int64_t> draws;
  std::optional<std::string> link;
  std::optional<double> tau;
  std::vector<std::shared_ptr<const Run>> runs;
};
using TuneStagePtr = std::shared_ptr<const TuneStage>;

/// Effect of a change.
struct TuneResult {
  RunTuning tuning;
  TuneBasisPtr basis;
  TuneStagePtr stage;
  bool moving = false;  ///< computed for TuneBasis::moving
  Evaluation now;
  Overview overview;
};
using TuneResultPtr = std::shared_ptr<const TuneResult>;

/// `before` (may be null) is reused if draws, link and prior did not change. A prior in `tuning`
/// requires `network` and runs torch on the network's items, exact for every link. Errors of
/// tunedRun(), PriorExplorer::runAt() and evaluate().
[[nodiscard]] Expected<TuneResultPtr> computeTuned(const TuneBasisPtr& basis,
                                                   const RunTuning& tuning, bool moving,
                                                   const TuneStagePtr& before,
                                                   const TuneNetworkPtr& network,
                                                   RunContext& context);

/// Likelihood and calibration as functions of the temperature, and the best temperature, on the
/// labelled items of `stage`, or of TuneBasis::moving if it is null.
struct TuneLandscape {
  TemperatureLandscape curves;
  TemperatureFit fit;
};
[[nodiscard]] Expected<TuneLandscape> tuneLandscape(const TuneBasisPtr& basis,
                                                    const RunTuning& tuning,
                                                    const TuneStagePtr& stage, RunContext& context);

/// Likelihood, calibration and evidence as functions of the prior precision, on the labelled items
/// of the network. Runs torch.
[[nodiscard]] Expected<PriorLandscape> tuneTauLandscape(const TuneNetworkPtr& network,
                                                        const std::string& link,
                                                        RunContext& context);

/// Predicts the calibration items with the analysis's method and fits the temperature applied after
/// draws and link of `tuning`. The analysis must have model and method. Evaluated items are refused
/// (checkSharedItems). Runs torch.
[[nodiscard]] Expected<CalibratedTemperature> fitTuned(const AnalysisPtr& analysis,
                                                       const DatasetPtr& calibration,
                                                       const RunTuning& tuning,
                                                       const PredictOptions& options,
                                                       RunContext& context);

/// The tuned runs as a new analysis of all items. With a prior in `tuning`, everything is predicted
/// again with this prior and link (runs torch), so that the result equals an ordinary prediction.
[[nodiscard]] Expected<AnalysisPtr> keepTuned(const AnalysisPtr& analysis, const RunTuning& tuning,
                                              const PredictOptions& options,
                                              const EvaluationOptions& evaluation,
                                              RunContext& context);

}  // namespace dubito
