// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/decisions/temperature_scaling.h"
#include "core/methods/laplace/prior_explorer.h"
#include "core/runs/tuned_run.h"

namespace dubito {

/// Slider range of the temperature.
inline constexpr double kMinTunedTemperature = 0.1;
inline constexpr double kMaxTunedTemperature = 10.0;
/// Slider range of the prior precision.
inline constexpr double kMinTunedTau = 1e-4;
inline constexpr double kMaxTunedTau = 1e6;

/// Limits on the number of items, over all parts, for which a change is computed.
struct TuneLimits {
  std::int64_t items_moving = 20'000;         ///< while a slider is dragged
  std::int64_t values_moving = 2'000'000;     ///< their class probabilities
  std::int64_t draws_moving = 40'000'000;     ///< class probabilities of their draws
  std::int64_t items_network = 4'000;         ///< items passed through the network for other priors
  std::int64_t values_resting = 100'000'000;  ///< class probabilities, slider at rest
};

/// Which settings of an analysis can be tuned.
struct TunableParts {
  bool temperature = false;  ///< every part has class probabilities
  std::int64_t draws = 0;    ///< number of stored draws; 0 if none or not equal in all parts
  std::string link;          ///< link of all parts; empty if they store no logit Gaussians
  /// Prior precision; nullopt if posterior, network or items are not available.
  std::optional<double> tau = std::nullopt;
};
[[nodiscard]] TunableParts tunableParts(const Analysis& analysis);

/// `tuning` without its temperature: draws, link and prior. A fitted temperature is valid only for
/// these.
[[nodiscard]] RunTuning beforeTemperature(const RunTuning& tuning);

/// Items of all parts of an analysis, possibly sampled.
struct TuneItems {
  std::vector<std::shared_ptr<const Run>> runs;  ///< one per part, the in-distribution run first
  std::int64_t count = 0;                        ///< number of items
  std::int64_t labelled = 0;                     ///< labelled items of the in-distribution run
  Evaluation before;                             ///< evaluation of the items before tuning
};

struct TuneBasis;

/// Items evaluated while a slider is dragged: a random sample of those of a basis, keyed by item
/// id. It is chosen when it is first needed, because that reads the ids of all items.
class TuneSample {
 public:
  /// At most `max_items` items of all parts together; those for a resting slider if they are no
  /// more.
  explicit TuneSample(std::int64_t max_items) : max_items_(max_items) {}

  /// The sample of `basis`, to which this belongs. Blocks: the first call chooses and evaluates the
  /// items, others wait for it. Errors: those of evaluate(), and kCancelled; the next call then
  /// tries again.
  [[nodiscard]] Expected<std::shared_ptr<const TuneItems>> items(const TuneBasis& basis,
                                                                 RunContext& context) const;
  [[nodiscard]] std::int64_t maxItems() const { return max_items_; }

 private:
  std::int64_t max_items_;
  mutable std::mutex mutex_;  ///< guards items_
  mutable std::shared_ptr<const TuneItems> items_;
};

/// An analysis prepared for tuning. Immutable.
struct TuneBasis {
  AnalysisPtr analysis;
  EvaluationOptions evaluation;
  std::shared_ptr<const TuneItems> resting;  ///< items evaluated while no slider is dragged
  std::shared_ptr<const TuneSample> moving;  ///< items evaluated otherwise

  /// Whether resting slider and dragged slider have different items.
  [[nodiscard]] bool samplesWhileMoving() const { return resting->count > moving->maxItems(); }
};
using TuneBasisPtr = std::shared_ptr<const TuneBasis>;

/// The basis of an analysis whose evaluation is that of all items that a resting slider shows; null
/// for other analyses, see prepareTuning(). Takes no time, whatever the number of items.
[[nodiscard]] TuneBasisPtr evaluatedBasis(const AnalysisPtr& analysis,
                                          const EvaluationOptions& evaluation,
                                          const TuneLimits& limits);

// The functions below block unless noted; call them on a worker thread.

/// Prepares an analysis for tuning. Errors: those of evaluate(), and kCancelled.
[[nodiscard]] Expected<TuneBasisPtr> prepareTuning(const AnalysisPtr& analysis,
                                                   const EvaluationOptions& evaluation,
                                                   const TuneLimits& limits, RunContext& context);

/// Items that were passed through the network of an analysis with a Laplace posterior.
struct TuneNetwork {
  std::shared_ptr<const TuneItems> items;
  std::vector<std::shared_ptr<PriorExplorer>> tuners;  ///< one per part
};
using TuneNetworkPtr = std::shared_ptr<const TuneNetwork>;

/// Passes items through the network, so that the prior can be changed. Requires tunableParts().tau.
/// Runs torch. Errors: those of PriorExplorer::of().
[[nodiscard]] Expected<TuneNetworkPtr> passThroughNetwork(const TuneBasisPtr& basis,
                                                          const TuneLimits& limits,
                                                          const PredictOptions& options,
                                                          RunContext& context);

/// Runs with draws, link and prior applied, but not yet the temperature.
struct TuneStage {
  std::shared_ptr<const TuneItems> items;
  std::optional<std::int64_t> draws;
  std::optional<std::string> link;
  std::optional<double> tau;
  std::vector<std::shared_ptr<const Run>> runs;
};
using TuneStagePtr = std::shared_ptr<const TuneStage>;

/// Result of applying a tuning.
struct TuneResult {
  RunTuning tuning;
  TuneBasisPtr basis;
  TuneStagePtr stage;
  bool moving = false;  ///< computed for TuneBasis::moving
  Evaluation now;
  Overview overview;
};
using TuneResultPtr = std::shared_ptr<const TuneResult>;

/// The result of a tuning that changes nothing, taken from the analysis: the same as that of
/// computeTuned() with a resting slider. Null if `tuning` changes something or `basis` is not an
/// evaluatedBasis(). Takes no time, whatever the number of items.
[[nodiscard]] TuneResultPtr untunedResult(const TuneBasisPtr& basis, const RunTuning& tuning);

/// Applies `tuning` to the items for a moving or resting slider and evaluates them. `before` (may
/// be null) is the previous stage, reused if draws, link and prior have not changed. If `tuning`
/// has a prior, `network` is required: the computation then runs torch on the items of `network`
/// and is exact for every link. Errors: those of tunedRun(), PriorExplorer::runAt() and evaluate().
[[nodiscard]] Expected<TuneResultPtr> computeTuned(const TuneBasisPtr& basis,
                                                   const RunTuning& tuning, bool moving,
                                                   const TuneStagePtr& before,
                                                   const TuneNetworkPtr& network,
                                                   RunContext& context);

/// Likelihood and calibration as functions of the temperature, and the temperature with the lowest
/// NLL. No curves and no items if no evaluated item has a label.
struct TuneLandscape {
  TemperatureLandscape curves;
  TemperatureFit fit;
};
/// Computes the curves on the labelled items of `stage`. If `stage` is null, uses
/// TuneBasis::moving, with draws and link of `tuning`.
[[nodiscard]] Expected<TuneLandscape> tuneLandscape(const TuneBasisPtr& basis,
                                                    const RunTuning& tuning,
                                                    const TuneStagePtr& stage, RunContext& context);

/// Likelihood, calibration and evidence as functions of the prior precision, on the labelled items
/// of `network`. Runs torch.
[[nodiscard]] Expected<PriorLandscape> tuneTauLandscape(const TuneNetworkPtr& network,
                                                        const std::string& link,
                                                        RunContext& context);

/// Predicts the calibration items with the method of the analysis, applies the draws, link and
/// prior of `tuning`, and fits a temperature to the result. The analysis must have a model and a
/// method. Returns an error if calibration items were also evaluated (checkSharedItems). Runs
/// torch.
[[nodiscard]] Expected<CalibratedTemperature> fitTuned(const AnalysisPtr& analysis,
                                                       const DatasetPtr& calibration,
                                                       const RunTuning& tuning,
                                                       const PredictOptions& options,
                                                       RunContext& context);

/// Applies `tuning` to all items and returns the tuned runs as a new analysis. If `tuning` has a
/// prior, all items are predicted again with this prior and link (runs torch), so that the result
/// is the same as that of an ordinary prediction.
[[nodiscard]] Expected<AnalysisPtr> tunedAnalysis(const AnalysisPtr& analysis,
                                                  const RunTuning& tuning,
                                                  const PredictOptions& options,
                                                  const EvaluationOptions& evaluation,
                                                  RunContext& context);

}  // namespace dubito
