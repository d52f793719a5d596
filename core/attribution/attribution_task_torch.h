// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "core/attribution/attribution_options.h"
#include "core/attribution/target_function_torch.h"
#include "core/base/array.h"
#include "core/base/expected.h"

namespace dubito {

/// Changed images that a method keeps at the same time.
inline constexpr std::int64_t kImagesAtATime = 32;

/// Inputs of an AttributionMethod.
struct AttributionTask {
  TargetFunction& function;
  at::Tensor image;     ///< [1, C, H, W], the network's input, float32 on the CPU
  at::Tensor baseline;  ///< as `image`
  double value = 0.0;   ///< of the function at the image
  const AttributionOptions& options;
};

/// Gradient at the image times the difference between image and baseline, [C, H, W].
[[nodiscard]] Expected<Array<double>> gradientTimesInput(const AttributionTask& task);
/// Sundararajan et al. 2017, equation 3, by the midpoint rule: the mean gradient on the straight
/// path from the baseline to the image times their difference, [C, H, W].
[[nodiscard]] Expected<Array<double>> integratedGradients(const AttributionTask& task);
/// Zeiler and Fergus 2014: the decrease of the function while a window shows the baseline, averaged
/// over the windows that contain the pixel, [1, H, W].
[[nodiscard]] Expected<Array<double>> occlusion(const AttributionTask& task);

}  // namespace dubito
