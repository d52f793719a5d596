// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>
#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/base/overloaded.h"
#include "core/data/items/item_random.h"
#include "core/data/pixels/corrupted.h"
#include "core/data/pixels/one_thread_torch.h"

namespace dubito {
namespace {

/// Values of an item and their possible range.
struct Values {
  at::Tensor numbers;  ///< [1, C, H, W], or [F]
  double low = 0.0;
  double high = 255.0;

  [[nodiscard]] double range() const { return high > low ? high - low : 1.0; }
};

// Step per unit of severity for each kind, so that 1 to 5 range from slight to strong.
constexpr double kNoiseStep = 0.06;
constexpr double kBlurStep = 1.0 / 60.0;
constexpr double kBrightnessStep = 0.1;
constexpr double kContrastStep = 0.18;
constexpr double kRotationStep = 15.0;
constexpr double kOcclusionStep = 0.08;
constexpr double kInversionStep = 0.2;
// Separate from the item's other random numbers.
constexpr std::uint64_t kSeed = 0x636F7272757074ULL;

at::Tensor noisy(const Values& values, double severity, std::int64_t id) {
  ItemRandom random(kSeed, id);
  at::Tensor noise = at::empty_like(values.numbers, at::MemoryFormat::Contiguous);
  float* const out = noise.mutable_data_ptr<float>();
  for (std::int64_t i = 0; i < noise.numel(); i += 2) {
    const auto pair = random.normalPair();
    out[i] = static_cast<float>(pair[0]);
    if (i + 1 < noise.numel()) {
      out[i + 1] = static_cast<float>(pair[1]);
    }
  }
  return values.numbers + noise * (kNoiseStep * severity * values.range());
}

at::Tensor blurred(const at::Tensor& image, double severity) {
  const auto shorter = static_cast<double>(std::min(image.size(2), image.size(3)));
  const double deviation = kBlurStep * severity * shorter;
  const auto radius = static_cast<std::int64_t>(std::ceil(3.0 * deviation));
  const at::Tensor offsets = at::arange(-radius, radius + 1, at::kFloat);
  at::Tensor weights = at::exp(offsets.square() * (-0.5 / (deviation * deviation)));
  weights = weights / weights.sum();
  // Channels as batch items: each is blurred separately.
  at::Tensor planes = image.transpose(0, 1);
  planes = at::replication_pad2d(planes, {radius, radius, radius, radius});
  planes = at::conv2d(planes, weights.view({1, 1, 1, -1}));
  return at::conv2d(planes, weights.view({1, 1, -1, 1})).transpose(0, 1);
}

at::Tensor rotated(const at::Tensor& image, double severity) {
  const double angle = severity * kRotationStep * std::numbers::pi / 180.0;
  const auto height = static_cast<double>(image.size(2));
  const auto width = static_cast<double>(image.size(3));
  // Source position of each pixel, in coordinates from -1 to 1 on both axes.
  const at::Tensor turn = at::tensor({std::cos(angle), -std::sin(angle) * height / width, 0.0,
                                      std::sin(angle) * width / height, std::cos(angle), 0.0},
                                     at::kFloat)
                              .view({1, 2, 3});
  const at::Tensor grid = at::affine_grid_generator(turn, image.sizes(), /*align_corners=*/false);
  constexpr std::int64_t kBilinear = 0;
  constexpr std::int64_t kRepeatEdges = 1;
  return at::grid_sampler(image, grid, kBilinear, kRepeatEdges, /*align_corners=*/false);
}

at::Tensor occluded(const at::Tensor& image, double severity, std::int64_t id) {
  const std::int64_t height = image.size(2);
  const std::int64_t width = image.size(3);
  const double share = std::min(1.0, kOcclusionStep * severity);
  const auto part = [share](std::int64_t side) {
    return std::clamp<std::int64_t>(std::lround(std::sqrt(share) * static_cast<double>(side)), 0,
                                    side);
  };
  const std::int64_t rows = part(height);
  const std::int64_t columns = part(width);
  ItemRandom random(kSeed, id);
  const auto place = [&random](std::int64_t free) {
    return static_cast<std::int64_t>(random.uniform() * static_cast<double>(free + 1));
  };
  const std::int64_t top = place(height - rows);
  const std::int64_t left = place(width - columns);
  at::Tensor result = image.clone();
  result.slice(2, top, top + rows)
      .slice(3, left, left + columns)
      .copy_(image.mean(at::IntArrayRef({2, 3}), /*keepdim=*/true));
  return result;
}

at::Tensor changed(const Values& values, const Corruption& corruption, std::int64_t id) {
  const double severity = corruption.severity;
  const at::Tensor& image = values.numbers;
  switch (corruption.kind) {
    case CorruptionKind::kNoise:
      return noisy(values, severity, id);
    case CorruptionKind::kBlur:
      return blurred(image, severity);
    case CorruptionKind::kBrightness:
      return image + kBrightnessStep * severity * values.range();
    case CorruptionKind::kContrast: {
      const at::Tensor mean = image.mean();
      return mean + (image - mean) * std::max(0.0, 1.0 - kContrastStep * severity);
    }
    case CorruptionKind::kRotation:
      return rotated(image, severity);
    case CorruptionKind::kOcclusion:
      return occluded(image, severity, id);
    case CorruptionKind::kInversion: {
      const double share = std::min(1.0, kInversionStep * severity);
      return image + (values.low + values.high - 2.0 * image) * share;
    }
  }
  return image;
}

/// [H, W, C] in memory as planes [1, C, H, W].
at::Tensor planesOf(const at::Tensor& pixels) {
  return pixels.to(at::kFloat).permute({2, 0, 1}).unsqueeze(0).contiguous();
}

at::Tensor pixelsOf(const at::Tensor& planes) {
  return planes.squeeze(0).permute({1, 2, 0}).contiguous();
}

Expected<Sample> corruptedImage(const Image8& image, const Corruption& corruption,
                                std::int64_t id) {
  const at::Tensor pixels = at::from_blob(const_cast<std::uint8_t*>(image.pixels.data()),
                                          image.pixels.shape(), at::kByte);
  const Values values{planesOf(pixels), 0.0, 255.0};
  const at::Tensor result =
      pixelsOf(at::round(at::clamp(changed(values, corruption, id), 0.0, 255.0))).to(at::kByte);
  const auto* const data = result.const_data_ptr<std::uint8_t>();
  return Image8{Array<std::uint8_t>::fromVector(
      image.pixels.shape(), std::vector<std::uint8_t>(data, data + result.numel()))};
}

Expected<Sample> corruptedNumbers(const Array<float>& numbers, const Corruption& corruption,
                                  std::int64_t id) {
  const bool is_image = numbers.rank() == 3;
  if (!is_image && !(numbers.rank() == 1 && corruption.kind == CorruptionKind::kNoise)) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("the item is not an image, so {} does not apply; use noise",
                            toString(corruption.kind)));
  }
  const at::Tensor stored =
      at::from_blob(const_cast<float*>(numbers.data()), numbers.shape(), at::kFloat);
  const Values values{is_image ? planesOf(stored) : stored, stored.min().item().toDouble(),
                      stored.max().item().toDouble()};
  at::Tensor result = changed(values, corruption, id);
  if (is_image) {
    result = pixelsOf(at::clamp(result, values.low, values.high));
  }
  result = result.contiguous();
  const auto* const data = result.const_data_ptr<float>();
  return Array<float>::fromVector(numbers.shape(), std::vector<float>(data, data + result.numel()));
}

}  // namespace

Expected<Sample> corrupted(const Sample& sample, const Corruption& corruption,
                           std::int64_t item_id) {
  if (corruption.severity == 0.0) {
    return sample;
  }
  const SingleThreadScope one_thread;
  const c10::InferenceMode no_gradients;
  return std::visit(
      Overloaded{[&](const Image8& image) { return corruptedImage(image, corruption, item_id); },
                 [&](const Array<float>& numbers) {
                   return numbers.empty() ? Expected<Sample>(numbers)
                                          : corruptedNumbers(numbers, corruption, item_id);
                 }},
      sample);
}

}  // namespace dubito
