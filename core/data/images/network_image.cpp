// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/images/network_image.h"

#include <algorithm>
#include <cmath>

namespace dubito {

Expected<Image8> toNetworkImage(const Sample& sample, const Preprocessing& preprocessing) {
  const Expected<Array<float>> input = preprocess(sample, preprocessing);
  if (!input) {
    return failWith(input);
  }
  if (input->rank() != 3) {
    return toDisplayImage(*input);  // which reports why there is no picture
  }
  const std::int64_t channels = input->extent(0);
  const std::int64_t height = input->extent(1);
  const std::int64_t width = input->extent(2);
  // One for all channels, one per channel, or none (no change).
  const auto valueOf = [](const std::vector<double>& values, std::int64_t channel, double none) {
    return values.empty()       ? none
           : values.size() == 1 ? values.front()
                                : values[static_cast<std::size_t>(channel)];
  };
  const bool is_reversed = channels == 3 && preprocessing.channel_order == "bgr";
  Array<float> stored = Array<float>::zeros({height, width, channels});
  for (std::int64_t c = 0; c < channels; ++c) {
    const double mean = valueOf(preprocessing.mean, c, 0.0);
    const double deviation = valueOf(preprocessing.std, c, 1.0);
    const std::span<const float> plane = input->row(c);
    float* out = stored.mutableData() + (is_reversed ? channels - 1 - c : c);
    for (const float value : plane) {
      *out =
          static_cast<float>((static_cast<double>(value) * deviation + mean) / preprocessing.scale);
      out += channels;
    }
  }
  if (!std::holds_alternative<Image8>(sample) || (channels != 1 && channels != 3)) {
    return toDisplayImage(stored);
  }
  Image8 image{Array<std::uint8_t>::zeros(stored.shape())};
  std::ranges::transform(stored.values(), image.pixels.mutableData(), [](float value) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0F, 255.0F)));
  });
  return image;
}

}  // namespace dubito
