// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/classification/class_task.h"

#include "core/labs/classification/class_prediction.h"

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
  auto result = Array<double>::zeros({draws, std::ssize(inputs) / 2, shape_.outputs});
  context.parallelFor(draws, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t t = begin; t < end && !context.cancelRequested(); ++t) {
      draw(t, result.mutableRow(t));
    }
  });
  if (context.cancelRequested()) {
    return cancelled();
  }
  return result;
}

}  // namespace dubito
