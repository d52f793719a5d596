// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/methods/map/logit_scaling.h"
#include "core/methods/method_traits.h"

namespace dubito {

/// Scales and shifts each class's logit, fitted on a calibration set (theory, section 11);
/// predictions may change.
struct VectorScalingOptions {
  static constexpr const char* kName = "vector-scaling";

  /// nullopt until fitted by prepareMethod.
  std::optional<LogitScaling> scaling = std::nullopt;
  MethodFitPtr fit = nullptr;

  [[nodiscard]] std::vector<Field> fields() { return {}; }
  [[nodiscard]] Status check() const { return {}; }
};

template <>
struct MethodTraits<VectorScalingOptions> : OnePass, WithoutPosterior, IndependentOfClasses {
  static constexpr const char* kLabel = "Vector scaling";
  static constexpr const char* kSummary =
      "One pass; each class's logit is scaled and shifted by values fitted on a calibration set";
  static constexpr MethodNeeds kNeeds = {.calibration = true};

  [[nodiscard]] static MethodNeeds needs(const VectorScalingOptions& /*chosen*/) { return kNeeds; }
  [[nodiscard]] static MethodNeeds used(const VectorScalingOptions& /*chosen*/) { return kNeeds; }
  [[nodiscard]] static Expected<VectorScalingOptions> prepare(const VectorScalingOptions& chosen,
                                                              const Model& model,
                                                              const MethodData& data,
                                                              const PredictOptions& predict,
                                                              RunContext& context);
  [[nodiscard]] static const MethodFit* fit(const VectorScalingOptions& chosen) {
    return chosen.fit.get();
  }
  [[nodiscard]] static bool restore(VectorScalingOptions& options, const SavedFit& saved);
  [[nodiscard]] static VectorScalingOptions standIn(VectorScalingOptions options) {
    options.scaling = options.scaling.value_or(LogitScaling());
    return options;
  }
  [[nodiscard]] static Expected<std::unique_ptr<BatchPredictor>> makePredictor(
      const VectorScalingOptions& chosen, const PredictorInputs& inputs);
};

}  // namespace dubito
