// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>

#include "core/labs/network/network_shape.h"
#include "core/labs/network/training.h"
#include "core/labs/uci/uci_methods.h"

namespace dubito {

/// Items per step, as in the code of Gal and Ghahramani (2016).
inline constexpr std::int64_t kUciBatch = 128;
/// Adam's rate in that code, which is constant. The other methods begin with a higher one that
/// falls to 0.
inline constexpr double kUciRate = 0.001;
inline constexpr double kUciDecayingRate = 0.01;

/// The network of a set.
[[nodiscard]] inline NetworkShape uciShape(const UciSetInfo& set, std::int64_t outputs) {
  return {.inputs = set.inputs,
          .hidden = {set.hidden_units},
          .outputs = outputs,
          .activation = Activation::kRelu};
}

/// Standard deviation of the noise of precision `tau`, in standardised targets.
[[nodiscard]] inline double standardisedNoise(const UciProblem& problem, double tau) {
  return 1.0 / (std::sqrt(tau) * problem.target_std);
}

[[nodiscard]] inline TrainingSettings decayingSettings(std::int64_t epochs) {
  return {
      .epochs = epochs, .learning_rate = kUciDecayingRate, .decays = true, .batch_size = kUciBatch};
}

/// Runs `epochs` epochs. kCancelled if the context is cancelled.
[[nodiscard]] inline Status trainAll(Training& training, std::int64_t epochs,
                                     const TrainingLoss& loss, const RunContext& context) {
  for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
    if (context.cancelRequested()) {
      return cancelled();
    }
    if (Status ran = training.runEpoch(loss); !ran) {
      return ran;
    }
  }
  return {};
}

/// Draws between two looks at the cancel flag.
inline constexpr std::int64_t kUciDrawsPerLook = 100;

}  // namespace dubito
