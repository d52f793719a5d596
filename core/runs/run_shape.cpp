// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/run_shape.h"

#include "core/io/measures_of_draws.h"
#include "core/io/run_arrays.h"
#include "core/kernels/honesty.h"

namespace dubito {

std::int64_t RunShape::bytesPerItem() const {
  return bytesOf(arraysOf(zeroRun(*this, 1)));
}

Run zeroRun(const RunShape& shape, std::int64_t items) {
  const std::vector<std::int64_t> per_class{items, shape.classes};
  Run run;
  run.probs = Array<float>::zeros(per_class);
  run.labels = Array<std::int64_t>::zeros({items});
  run.ids = Array<std::int64_t>::zeros({items});
  run.predictions = Array<std::int64_t>::zeros({items});
  run.confidence = Array<double>::zeros({items});
  run.log_rest = Array<double>::zeros({items});
  run.entropy = Array<double>::zeros({items});
  for (const MeasureOfDraws& measure : kMeasuresOfDraws) {
    if (shape.draws >= measure.min_draws || (shape.splits_entropy && measure.of_gaussians)) {
      run.*measure.in_run = Array<double>::zeros({items});
    }
  }
  if (shape.keep_logits) {
    run.logits = Array<float>::zeros(per_class);
  }
  if (shape.keep_samples) {
    run.samples = Array<float>::zeros({shape.draws, items, shape.classes});
  }
  if (shape.gaussians) {
    run.logit_mean = Array<float>::zeros(per_class);
    run.logit_var = Array<float>::zeros(per_class);
  }
  if (shape.alpha) {
    run.alpha = Array<double>::zeros(per_class);
  }
  if (shape.gauge) {
    run.gauge_bridge = Array<double>::zeros({items});
    run.gauge_probit = Array<double>::zeros({items});
    if (hasDivergence(shape.classes)) {
      run.gauge_divergence = Array<double>::zeros({items});
    }
  }
  return run;
}

}  // namespace dubito
