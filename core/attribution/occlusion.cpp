// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/attribution/attribution_task_torch.h"

namespace dubito {
namespace {

struct PixelRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// The windows along a side of `pixels`; the last one is cut off at the border.
std::vector<PixelRange> windowsOf(std::int64_t pixels, const AttributionOptions& options) {
  const auto inPixels = [pixels](double share) {
    const auto rounded =
        static_cast<std::int64_t>(std::llround(share * static_cast<double>(pixels)));
    return std::clamp<std::int64_t>(rounded, 1, pixels);
  };
  const std::int64_t window = inPixels(options.window);
  const std::int64_t stride = std::min(window, inPixels(options.stride));
  std::vector<PixelRange> windows = {{0, window}};
  while (windows.back().end < pixels) {
    const std::int64_t begin = windows.back().begin + stride;
    windows.push_back({begin, std::min(pixels, begin + window)});
  }
  return windows;
}

struct Window {
  PixelRange rows;
  PixelRange columns;

  [[nodiscard]] at::Tensor of(const at::Tensor& pixels) const {
    return pixels.slice(-2, rows.begin, rows.end).slice(-1, columns.begin, columns.end);
  }
};

}  // namespace

Expected<Array<double>> occlusion(const AttributionTask& task) {
  const std::int64_t height = task.image.size(2);
  const std::int64_t width = task.image.size(3);
  std::vector<Window> windows;
  for (const PixelRange& rows : windowsOf(height, task.options)) {
    for (const PixelRange& columns : windowsOf(width, task.options)) {
      windows.push_back({rows, columns});
    }
  }
  const auto count = static_cast<std::int64_t>(windows.size());
  task.function.expect(count, 0);
  at::Tensor decreases = at::zeros({height, width}, at::kDouble);
  at::Tensor covered = at::zeros({height, width}, at::kDouble);
  for (std::int64_t begin = 0; begin < count; begin += kImagesAtATime) {
    const std::int64_t end = std::min(count, begin + kImagesAtATime);
    at::Tensor images = task.image.repeat({end - begin, 1, 1, 1});
    for (std::int64_t i = begin; i < end; ++i) {
      const Window& window = windows[static_cast<std::size_t>(i)];
      window.of(images[i - begin]).copy_(window.of(task.baseline[0]));
    }
    const auto values = task.function.values(images);
    if (!values) {
      return failWith(values);
    }
    for (std::int64_t i = begin; i < end; ++i) {
      const Window& window = windows[static_cast<std::size_t>(i)];
      window.of(decreases).add_(task.value - (*values)[static_cast<std::size_t>(i - begin)]);
      window.of(covered).add_(1.0);
    }
  }
  const at::Tensor mean = (decreases / covered).contiguous();
  const double* const data = mean.const_data_ptr<double>();
  return Array<double>::fromVector({1, height, width},
                                   std::vector<double>(data, data + mean.numel()));
}

}  // namespace dubito
