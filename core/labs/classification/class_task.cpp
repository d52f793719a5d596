// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/classification/class_task.h"

#include "core/labs/classification/class_prediction.h"
#include "core/labs/network/function_draws.h"

namespace dubito {

Expected<ClassPrediction> DrawnClassLearner::predict(std::span<const double> inputs,
                                                     std::int64_t max_draws,
                                                     RunContext& context) const {
  return predictInParts(
      inputs, shape_.outputs, context,
      [&](std::span<const double> part) -> Expected<ClassPrediction> {
        const auto logits = functions(part, max_draws, context);
        if (!logits) {
          return failWith(logits);
        }
        return hasOneFunction()
                   ? predictionOfLogits(logits->reshaped({logits->extent(1), shape_.outputs}))
                   : predictionOfFunctions(*logits, context);
      });
}

Expected<Array<double>> DrawnClassLearner::functionDraws(
    std::int64_t draws, std::span<const double> inputs, RunContext& context,
    const std::function<void(std::int64_t draw, std::span<double> logits)>& draw) const {
  return drawFunctions({draws, std::ssize(inputs) / 2, shape_.outputs}, 1, context, draw);
}

}  // namespace dubito
