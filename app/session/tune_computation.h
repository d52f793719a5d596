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

/// The range of the slider for the temperature.
inline constexpr double kMinTunedTemperature = 0.1;
inline constexpr double kMaxTunedTemperature = 10.0;
/// And prior precisions.
inline constexpr double kMinTunedTau = 1e-4;
inline constexpr double kMaxTunedTau = 1e6;

/// How many items a change is shown for.
struct TuneLimits {
  std::int64_t items_moving = 20'000;         ///< of all parts, while a slider is dragged
  std::int64_t values_moving = 2'000'000;     ///< probabilities of these items
  std::int64_t draws_moving = 40'000'000;     ///< probabilities of their draws
  std::int64_t items_network = 4'000;         ///< that go through a network for other priors
  std::int64_t values_resting = 100'000'000;  ///< probabilities of all items that are shown
};

/// What of an analysis can be turned.
struct TunableParts {
  bool temperature = false;  ///< every part has class probabilities
  std::int64_t draws = 0;    ///< that every part holds; 0: none, or not equally many
  std::string link;          ///< of the Gaussians of every part; empty: none
  /// Prior precision of a posterior that is here with its network and items.
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

/// An analysis got ready to be tuned. Immutable once made.
struct TuneBasis {
  AnalysisPtr analysis;
  EvaluationOptions evaluation;
  /// Shown while a slider is dragged, chosen by a key of the ids; and when it rests.
  std::shared_ptr<const TuneItems> moving;
  std::shared_ptr<const TuneItems> resting;  ///< the same object where these are all
};
using TuneBasisPtr = std::shared_ptr<const TuneBasis>;

/// Blocking, as all that follows; for a worker thread. Errors of evaluate(), kCancelled.
[[nodiscard]] Expected<TuneBasisPtr> prepareTuning(const AnalysisPtr& analysis,
                                                   const EvaluationOptions& evaluation,
                                                   const TuneLimits& limits, RunContext& context);

/// Items that went through the network of an analysis with a Laplace posterior.
struct TuneNetwork {
  std::shared_ptr<const TuneItems> items;
  std::vector<std::shared_ptr<PriorExplorer>> tuners;  ///< one a part
};
using TuneNetworkPtr = std::shared_ptr<const TuneNetwork>;

/// For an analysis with tunableParts().tau. Torch. Errors of PriorExplorer::of().
[[nodiscard]] Expected<TuneNetworkPtr> passThroughNetwork(const TuneBasisPtr& basis,
                                                          const TuneLimits& limits,
                                                          const PredictOptions& options,
                                                          RunContext& context);

/// Items whose draws or link were chosen, and whose temperature is still open.
struct TuneStage {
  std::shared_ptr<const TuneItems> items;
  std::optional<std::int64_t> draws;
  std::optional<std::string> link;
  std::optional<double> tau;
  std::vector<std::shared_ptr<const Run>> runs;
};
using TuneStagePtr = std::shared_ptr<const TuneStage>;

/// What a change does.
struct TuneResult {
  RunTuning tuning;
  TuneBasisPtr basis;
  TuneStagePtr stage;
  bool moving = false;  ///< of the items that are shown while a slider is dragged
  Evaluation now;
  Overview overview;
};
using TuneResultPtr = std::shared_ptr<const TuneResult>;

/// `before` saves the first step where draws, link and prior are still the same; may be null. With
/// a prior in `tuning`, `network` must be given; then it is torch's work, exact for every link, of
/// the network's items. Errors of tunedRun(), PriorExplorer::runAt() and evaluate().
[[nodiscard]] Expected<TuneResultPtr> computeTuned(const TuneBasisPtr& basis,
                                                   const RunTuning& tuning, bool moving,
                                                   const TuneStagePtr& before,
                                                   const TuneNetworkPtr& network,
                                                   RunContext& context);

/// How likelihood and calibration depend on the temperature, and the best one: of the labelled
/// items of `stage`, or where that is null of those that are shown while a slider is dragged.
struct TuneLandscape {
  TemperatureLandscape curves;
  TemperatureFit fit;
};
[[nodiscard]] Expected<TuneLandscape> tuneLandscape(const TuneBasisPtr& basis,
                                                    const RunTuning& tuning,
                                                    const TuneStagePtr& stage, RunContext& context);

/// How likelihood, calibration and evidence depend on the prior precision: of the labelled items of
/// the network. Torch.
[[nodiscard]] Expected<PriorLandscape> tuneTauLandscape(const TuneNetworkPtr& network,
                                                        const std::string& link,
                                                        RunContext& context);

/// Predicts the calibration items with the method of the analysis, whose model and method are here,
/// and fits the temperature that comes after draws and link of `tuning`. Items that are evaluated
/// are refused (checkSharedItems). Torch.
[[nodiscard]] Expected<CalibratedTemperature> fitTuned(const AnalysisPtr& analysis,
                                                       const DatasetPtr& calibration,
                                                       const RunTuning& tuning,
                                                       const PredictOptions& options,
                                                       RunContext& context);

/// The tuned runs as an analysis of their own, over all items. With a prior in `tuning` everything
/// is predicted anew with it and the link (torch), so that the run is what any such prediction is.
[[nodiscard]] Expected<AnalysisPtr> keepTuned(const AnalysisPtr& analysis, const RunTuning& tuning,
                                              const PredictOptions& options,
                                              const EvaluationOptions& evaluation,
                                              RunContext& context);

}  // namespace dubito
