// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/confusion.h"

namespace dubito {

Array<std::int64_t> confusionMatrix(const Run& run, const RunContext& context) {
  const std::int64_t classes = run.classCount();
  const std::int64_t* const labels = run.labels.data();
  const std::int64_t* const predictions = run.predictions.data();
  if (classes > kMaxMatrixClasses) {
    return Array<std::int64_t>::zeros({0, 0});
  }
  Array<std::int64_t> counts = Array<std::int64_t>::zeros({classes, classes});
  bool any = false;
  constexpr std::int64_t kCancelEvery = std::int64_t{1} << 16;
  for (std::int64_t i = 0; i < run.itemCount(); ++i) {
    if (i % kCancelEvery == 0 && context.cancelRequested()) {
      break;
    }
    if (labels[i] >= 0 && labels[i] < classes) {
      any = true;
      ++counts.mutableData()[labels[i] * classes + predictions[i]];
    }
  }
  return any ? counts : Array<std::int64_t>::zeros({0, 0});
}

}  // namespace dubito
