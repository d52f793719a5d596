// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <algorithm>

#include "core/attribution/attribution_task_torch.h"

namespace dubito {
namespace {

/// `gradient` [1, C, H, W] times image minus baseline.
Array<double> timesDifference(const AttributionTask& task, const at::Tensor& gradient) {
  const at::Tensor product =
      (gradient * (task.image.to(at::kDouble) - task.baseline.to(at::kDouble))).contiguous();
  const double* const data = product.const_data_ptr<double>();
  return Array<double>::fromVector(product.sizes().slice(1).vec(),
                                   std::vector<double>(data, data + product.numel()));
}

}  // namespace

Expected<Array<double>> gradientTimesInput(const AttributionTask& task) {
  task.function.expect(0, 1);
  const auto gradient = task.function.gradients(task.image);
  if (!gradient) {
    return failWith(gradient);
  }
  return timesDifference(task, *gradient);
}

Expected<Array<double>> integratedGradients(const AttributionTask& task) {
  const std::int64_t steps = task.options.steps;
  task.function.expect(0, steps);
  at::Tensor sum = at::zeros(task.image.sizes(), at::kDouble);
  for (std::int64_t begin = 0; begin < steps; begin += kImagesAtATime) {
    const std::int64_t end = std::min(steps, begin + kImagesAtATime);
    const at::Tensor shares =
        ((at::arange(begin, end, at::kDouble) + 0.5) / static_cast<double>(steps))
            .to(at::kFloat)
            .view({-1, 1, 1, 1});
    const at::Tensor path = task.baseline + shares * (task.image - task.baseline);
    const auto gradients = task.function.gradients(path);
    if (!gradients) {
      return failWith(gradients);
    }
    sum += gradients->sum(0, true);
  }
  return timesDifference(task, sum / static_cast<double>(steps));
}

}  // namespace dubito
