// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/methods/method_traits.h"

namespace dubito {

/// Divides the network's logits by one temperature T > 0, fitted on a calibration set: confidences
/// change, predictions do not (theory, section 11).
struct TemperatureOptions {
  static constexpr const char* kName = "temperature";

  /// The temperature T; if empty, prepareMethod fits it.
  std::optional<double> temperature = std::nullopt;
  /// Describes the fit of T; nullptr if T was set manually or is not fitted yet.
  MethodFitPtr fit = nullptr;

  [[nodiscard]] std::vector<Field> fields();
  [[nodiscard]] Status check() const;
};

template <>
struct MethodTraits<TemperatureOptions> : OnePass, WithoutPosterior, IndependentOfClasses {
  static constexpr const char* kLabel = "Temperature scaling";
  static constexpr const char* kSummary =
      "One pass; confidences are corrected by a temperature fitted on a calibration set";
  static constexpr MethodNeeds kNeeds = {.calibration = true};

  [[nodiscard]] static MethodNeeds needs(const TemperatureOptions& chosen) {
    return chosen.temperature ? MethodNeeds() : kNeeds;
  }
  [[nodiscard]] static MethodNeeds used(const TemperatureOptions& /*chosen*/) { return kNeeds; }
  [[nodiscard]] static Expected<TemperatureOptions> prepare(const TemperatureOptions& chosen,
                                                            const Model& model,
                                                            const MethodData& data,
                                                            const PredictOptions& predict,
                                                            RunContext& context);
  [[nodiscard]] static const MethodFit* fit(const TemperatureOptions& chosen) {
    return chosen.fit.get();
  }
  [[nodiscard]] static bool restore(TemperatureOptions& options, const SavedFit& saved);
  [[nodiscard]] static TemperatureOptions standIn(TemperatureOptions options) {
    options.temperature = options.temperature.value_or(1.0);
    return options;
  }
  [[nodiscard]] static Expected<std::unique_ptr<BatchPredictor>> makePredictor(
      const TemperatureOptions& chosen, const PredictorInputs& inputs);
};

}  // namespace dubito
