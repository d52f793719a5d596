// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/inference/options/method_traits.h"
#include "core/laplace/laplace_settings.h"

namespace dubito {

/// A Gaussian posterior over the weights of the last layer or of all, and the Gaussian over logits
/// that follows (theory, section 5).
struct LaplaceOptions : LaplaceSettings {
  static constexpr const char* kName = "laplace";

  /// Fitted by prepareMethod.
  std::shared_ptr<const FittedLaplace> fitted = nullptr;
  MethodFitPtr fit = nullptr;
};

template <>
struct MethodTraits<LaplaceOptions> : WithoutDropout {
  static constexpr const char* kLabel = "Laplace";
  static constexpr const char* kSummary =
      "A Gaussian over the weights of the last layer or of all, fitted on the training items; wide "
      "where they say little";
  static constexpr MethodNeeds kNeeds = {.fit = true, .calibration = true, .posterior = true};

  /// With the link "auto" decided (linkFor).
  [[nodiscard]] static LaplaceOptions settled(LaplaceOptions options, std::int64_t classes);
  [[nodiscard]] static MethodNeeds needs(const LaplaceOptions& chosen);
  [[nodiscard]] static MethodNeeds used(const LaplaceOptions& chosen);
  /// The posterior is fitted on data.fit, or read from data.posterior_path if that file exists
  /// (else written there). The prior is the one that the options ask for: auto-nll takes
  /// data.calibration, mmc-drop data.calibration or else data.fit.
  [[nodiscard]] static Expected<LaplaceOptions> prepare(const LaplaceOptions& chosen,
                                                        const Model& model, const MethodData& data,
                                                        const PredictOptions& predict,
                                                        RunContext& context);
  [[nodiscard]] static const MethodFit* fit(const LaplaceOptions& chosen) {
    return chosen.fit.get();
  }
  [[nodiscard]] static bool restore(LaplaceOptions& options, const SavedFit& saved);
  /// Still to be fitted, but with a prior that needs no labels.
  [[nodiscard]] static LaplaceOptions standIn(LaplaceOptions options) {
    options.tau = 1.0;
    return options;
  }
  [[nodiscard]] static std::shared_ptr<const FittedLaplace> posterior(
      const LaplaceOptions& chosen) {
    return chosen.fitted;
  }
  [[nodiscard]] static std::string posteriorKey(const LaplaceOptions& chosen);
  [[nodiscard]] static std::int64_t draws(const LaplaceOptions& chosen) {
    return chosen.drawsWeights() ? chosen.weight_draws : 0;
  }
  [[nodiscard]] static LaplaceOptions withDraws(LaplaceOptions options, std::int64_t count) {
    options.weight_draws = count;
    return options;
  }
  [[nodiscard]] static RunShape shape(const LaplaceOptions& chosen, const Model& model,
                                      bool keeps_samples);
  /// Posterior, its fit, and the Jacobians of an item. kOutOfMemory if they do not fit.
  [[nodiscard]] static Expected<MethodWork> work(const LaplaceOptions& chosen,
                                                 const PredictorInputs& inputs, std::int64_t batch);
  /// kInvalidArgument if it has not been fitted, or to a network with other layers.
  [[nodiscard]] static Expected<std::unique_ptr<BatchPredictor>> makePredictor(
      const LaplaceOptions& chosen, const PredictorInputs& inputs);
};

}  // namespace dubito
