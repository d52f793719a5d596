// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/laplace/laplace_settings.h"
#include "core/methods/method_traits.h"

namespace dubito {

/// A Gaussian posterior over the weights of the last layer or all layers, and the resulting
/// Gaussian over logits (theory, section 5).
struct LaplaceOptions : LaplaceSettings {
  static constexpr const char* kName = "laplace";

  /// nullptr until fitted by prepareMethod.
  std::shared_ptr<const FittedLaplace> fitted = nullptr;
  MethodFitPtr fit = nullptr;
};

template <>
struct MethodTraits<LaplaceOptions> : WithoutDropout {
  static constexpr const char* kLabel = "Laplace";
  static constexpr const char* kSummary =
      "A Gaussian over the weights of the last layer or all layers, fitted on the training items; "
      "wide in directions that the data constrain little";
  static constexpr MethodNeeds kNeeds = {.fit = true, .calibration = true, .posterior = true};

  /// Resolves the link "auto" (resolveLink).
  [[nodiscard]] static LaplaceOptions resolved(LaplaceOptions options, std::int64_t classes);
  [[nodiscard]] static MethodNeeds needs(const LaplaceOptions& chosen);
  [[nodiscard]] static MethodNeeds used(const LaplaceOptions& chosen);
  /// Reads the posterior from data.posterior_path if that file exists; otherwise fits it on
  /// data.fit and, if that path is set, writes it there. The options determine how the prior is
  /// chosen: auto-nll uses data.calibration, mmc-drop uses data.calibration or, without it,
  /// data.fit.
  [[nodiscard]] static Expected<LaplaceOptions> prepare(const LaplaceOptions& chosen,
                                                        const Model& model, const MethodData& data,
                                                        const PredictOptions& predict,
                                                        RunContext& context);
  [[nodiscard]] static const MethodFit* fit(const LaplaceOptions& chosen) {
    return chosen.fit.get();
  }
  [[nodiscard]] static bool restore(LaplaceOptions& options, const SavedFit& saved);
  /// The result still requires a fit, but its prior needs no calibration data or labels.
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
  /// Memory of the posterior, of its fit and of the Jacobians of an item. kOutOfMemory if these
  /// exceed the available memory.
  [[nodiscard]] static Expected<MethodWork> work(const LaplaceOptions& chosen,
                                                 const PredictorInputs& inputs, std::int64_t batch);
  /// kInvalidArgument if the method is not fitted, or was fitted to a network with other layers.
  [[nodiscard]] static Expected<std::unique_ptr<BatchPredictor>> makePredictor(
      const LaplaceOptions& chosen, const PredictorInputs& inputs);
};

}  // namespace dubito
