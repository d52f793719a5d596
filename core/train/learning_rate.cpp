// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/learning_rate.h"

namespace dubito {

double initialLearningRate(const TrainOptions& options) {
  return options.learning_rate.value_or(options.optimiser == "adam" ? 0.001 : 0.05);
}

double averagingLearningRate(const TrainOptions& options) {
  // The ratio of Maddox et al. (2019): 0.01 after 0.05.
  return options.averaging.swa_learning_rate.value_or(0.2 * initialLearningRate(options));
}

double learningRateAt(const TrainOptions& options, std::int64_t step, std::int64_t batches) {
  const double initial = initialLearningRate(options);
  const AveragingOptions& averaging = options.averaging;
  if (averaging.snapshots > 0) {
    const std::int64_t cycle = averaging.cycleOf(step / batches, options.epochs);
    const std::int64_t begin = averaging.cycleBegin(cycle, options.epochs) * batches;
    const std::int64_t end = averaging.cycleBegin(cycle + 1, options.epochs) * batches;
    return initial * cosineFactor(step - begin, end - begin);
  }
  if (!averaging.averages()) {
    return initial * rateFactor(options.schedule, step, options.epochs * batches);
  }
  const double constant = averagingLearningRate(options);
  const std::int64_t before = options.epochs - averaging.averagedEpochs(options.epochs);
  if (step >= before * batches) {
    return constant;
  }
  return constant + (initial - constant) * rateFactor(options.schedule, step, before * batches);
}

}  // namespace dubito
