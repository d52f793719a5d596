// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/inference/options/method_traits.h"
#include "core/laplace/laplace_settings.h"

namespace dubito {

/// A Gaussian posterior over the weights of the last layer or all layers, and the resulting
/// Gaussian over logits (theory, section 5).
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
      "A Gaussian over the weights of the last layer or all layers, fitted on the training items; "
      "wide in directions that these say little about";
  static constexpr MethodNeeds kNeeds = {.fit = true, .calibration = true, .posterior = true};

  /// Resolves the link "auto" (resolveLink).
  [[nodiscard]] static LaplaceOptions settled(LaplaceOptions options, std::int64_t classes);
  [[nodiscard]] static MethodNeeds needs(const LaplaceOptions& chosen);
  [[nodiscard]] static MethodNeeds used(const LaplaceOptions& chosen);
  /// Fits the posterior on data.fit, or reads it from data.posterior_path if that file exists (else
  /// writes it there). The prior follows the options: auto-nll uses data.calibration, mmc-drop uses
  /// data.calibration or else data.fit.
  [[nodiscard]] static Expected<LaplaceOptions> prepare(const LaplaceOptions& chosen,
                                                        const Model& model, const MethodData& data,
                                                        const PredictOptions& predict,
                                                        RunContext& context);
  [[nodiscard]] static const MethodFit* fit(const LaplaceOptions& chosen) {
    return chosen.fit.get();
  }
  [[nodiscard]] static bool restore(LaplaceOptions& options, const SavedFit& saved);
  /// Still requires a fit, but with a prior that needs no labels.
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
  /// Memory of the posterior, its fit, and the Jacobians of an item. kOutOfMemory if they do not
  /// fit.
  [[nodiscard]] static Expected<MethodWork> work(const LaplaceOptions& chosen,
                                                 const PredictorInputs& inputs, std::int64_t batch);
  /// kInvalidArgument if not fitted, or fitted to a network with other layers.
  [[nodiscard]] static Expected<std::unique_ptr<BatchPredictor>> makePredictor(
      const LaplaceOptions& chosen, const PredictorInputs& inputs);
};

}  // namespace dubito
