// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/methods/method_traits.h"

namespace dubito {

/// One deterministic pass: all dropout sites off, all normalisation layers in inference mode.
struct MapOptions {
  static constexpr const char* kName = "map";

  [[nodiscard]] std::vector<Field> fields() { return {}; }
  [[nodiscard]] Status check() const { return {}; }
};

template <>
struct MethodTraits<MapOptions> : OnePass, WithoutFit, IndependentOfClasses {
  static constexpr const char* kLabel = "MAP softmax";
  static constexpr const char* kSummary =
      "One deterministic pass; the softmax of the trained network";

  [[nodiscard]] static Expected<std::unique_ptr<BatchPredictor>> makePredictor(
      const MapOptions& chosen, const PredictorInputs& inputs);
};

}  // namespace dubito
