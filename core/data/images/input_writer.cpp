// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/images/input_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/data/pixels/resize.h"

namespace dubito {
namespace {

const std::vector<std::int64_t>& shapeOfSample(const Sample& sample) {
  const auto* const image = std::get_if<Image8>(&sample);
  return image != nullptr ? image->pixels.shape() : std::get<Array<float>>(sample).shape();
}

struct Size {
  std::int64_t height = 0;
  std::int64_t width = 0;
  friend bool operator==(const Size&, const Size&) = default;
};

/// Size after the resize and before the crop.
Size scaledSize(const Preprocessing& preprocessing, Size stored) {
  if (preprocessing.height == 0) {
    return stored;
  }
  if (preprocessing.resize == "exact") {
    return {preprocessing.height, preprocessing.width};
  }
  const std::int64_t shorter = preprocessing.resize_to > 0
                                   ? preprocessing.resize_to
                                   : std::max(preprocessing.height, preprocessing.width);
  return stored.height <= stored.width ? Size{shorter, shorter * stored.width / stored.height}
                                       : Size{shorter * stored.height / stored.width, shorter};
}

Size croppedSize(const Preprocessing& preprocessing, Size scaled) {
  return preprocessing.height == 0 ? scaled : Size{preprocessing.height, preprocessing.width};
}

/// First row or column of the centre crop; halves round to even, as in torchvision.
std::int64_t cropStart(std::int64_t scaled, std::int64_t cropped) {
  return static_cast<std::int64_t>(std::nearbyint(static_cast<double>(scaled - cropped) / 2.0));
}

Array<float> cropped(const Array<float>& planes, Size size) {
  const std::int64_t height = planes.extent(1);
  const std::int64_t width = planes.extent(2);
  if (Size{height, width} == size) {
    return planes;
  }
  const std::int64_t top = cropStart(height, size.height);
  const std::int64_t left = cropStart(width, size.width);
  auto result = Array<float>::zeros({planes.extent(0), size.height, size.width});
  float* out = result.mutableData();
  for (std::int64_t channel = 0; channel < planes.extent(0); ++channel) {
    for (std::int64_t row = 0; row < size.height; ++row) {
      const float* const from = planes.data() + (channel * height + top + row) * width + left;
      out = std::copy(from, from + size.width, out);
    }
  }
  return result;
}

/// [H, W, C] to [channels, H, W] as real numbers, in the stored channel order.
template <class T>
Array<float> planesOf(const Array<T>& image, std::int64_t channels) {
  const std::int64_t stored = image.extent(2);
  const std::int64_t pixels = image.extent(0) * image.extent(1);
  auto planes = Array<float>::zeros({channels, image.extent(0), image.extent(1)});
  float* const out = planes.mutableData();
  const T* const in = image.data();
  if (stored == 3 && channels == 1) {
    for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
      const T* const rgb = in + pixel * 3;
      out[pixel] = static_cast<float>(0.299 * static_cast<double>(rgb[0]) +
                                      0.587 * static_cast<double>(rgb[1]) +
                                      0.114 * static_cast<double>(rgb[2]));
    }
    return planes;
  }
  for (std::int64_t channel = 0; channel < channels; ++channel) {
    const std::int64_t from = stored == 1 ? 0 : channel;
    for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
      out[channel * pixels + pixel] = static_cast<float>(in[pixel * stored + from]);
    }
  }
  return planes;
}

double entry(const std::vector<double>& values, std::size_t channel, double otherwise) {
  if (values.size() == 1) {
    return values[0];
  }
  return channel < values.size() ? values[channel] : otherwise;
}

}  // namespace

InputWriter::InputWriter(Preprocessing preprocessing) : preprocessing_(std::move(preprocessing)) {
  if (const Status status = preprocessing_.check(); !status) {
    throw std::invalid_argument(status.error().message);
  }
  for (std::size_t channel = 0; channel < byte_table_.size(); ++channel) {
    for (std::size_t byte = 0; byte < byte_table_[channel].size(); ++byte) {
      byte_table_[channel][byte] = normalised(static_cast<double>(byte), channel);
    }
  }
}

float InputWriter::normalised(double value, std::size_t channel) const {
  // Rounded to float32 after each step, like the transforms used in training: a quantised network
  // amplifies differences in the last bit of its input.
  const auto scaled = static_cast<float>(value * preprocessing_.scale);
  return (scaled - static_cast<float>(entry(preprocessing_.mean, channel, 0.0))) /
         static_cast<float>(entry(preprocessing_.std, channel, 1.0));
}

std::size_t InputWriter::sourceChannel(std::size_t channel, std::size_t stored) const {
  if (stored == 1) {
    return 0;
  }
  return stored == 3 && preprocessing_.channel_order == "bgr" ? 2 - channel : channel;
}

Expected<std::vector<std::int64_t>> InputWriter::shapeOf(const Sample& sample) const {
  const std::vector<std::int64_t>& stored = shapeOfSample(sample);
  std::vector<std::int64_t> shape;
  if (stored.size() == 1) {
    if (preprocessing_.height > 0 || preprocessing_.channels > 0) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("the item is a vector of {} numbers, but the model takes images "
                              "({}); choose a dataset of images, or a model for vectors",
                              stored[0], preprocessing_.describe()));
    }
    if (preprocessing_.length > 0 && preprocessing_.length != stored[0]) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("the item is a vector of {} numbers, but the model takes {}; choose "
                              "another dataset, or fix the input size in the model's metadata",
                              stored[0], preprocessing_.length),
                  {metadataSetting("input_size")});
    }
    shape = stored;
  } else {
    const std::int64_t channels = preprocessing_.channels > 0 ? preprocessing_.channels : stored[2];
    if (stored[0] < 1 || stored[1] < 1 || stored[2] < 1) {
      return fail(ErrorCode::kMalformed, "the item is an image without pixels; leave it out");
    }
    if (channels != stored[2] && stored[2] != 1 && stored[2] != 3) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("the item has {} channels, but the model takes {}; choose a dataset "
                              "of grey or colour images",
                              stored[2], channels));
    }
    const Size size = croppedSize(preprocessing_, {stored[0], stored[1]});
    shape = {channels, size.height, size.width};
  }
  for (const auto& [name, values] :
       {std::pair{"mean", &preprocessing_.mean}, std::pair{"std", &preprocessing_.std}}) {
    if (values->size() > 1 && static_cast<std::int64_t>(values->size()) != shape[0]) {
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format(
              "the model's {} has {} values, but the item has {} {}; fix the model's metadata",
              name, values->size(), shape[0], shape.size() == 1 ? "numbers" : "channels"));
    }
  }
  return shape;
}

Array<float> InputWriter::toPlanes(const Sample& sample) const {
  const std::int64_t stored = shapeOfSample(sample)[2];
  const std::int64_t channels = preprocessing_.channels > 0 ? preprocessing_.channels : stored;
  // Grey stays one plane until the very end, so that it is resized only once.
  const std::int64_t planes = stored == 1 ? 1 : channels;
  const auto* const image = std::get_if<Image8>(&sample);
  return image != nullptr ? planesOf(image->pixels, planes)
                          : planesOf(std::get<Array<float>>(sample), planes);
}

Array<float> InputWriter::resizedAndCropped(Array<float> planes, bool clamp_to_byte) const {
  const Size stored{planes.extent(1), planes.extent(2)};
  const Size scaled = scaledSize(preprocessing_, stored);
  if (!(scaled == stored)) {
    planes = resizePlanes(planes, scaled.height, scaled.width, preprocessing_.interpolation);
    if (clamp_to_byte && preprocessing_.interpolation == "bicubic") {
      for (float& value : planes.mutableValues()) {
        value = std::clamp(value, 0.0F, 255.0F);
      }
    }
  }
  return cropped(planes, croppedSize(preprocessing_, scaled));
}

void InputWriter::writeBytes(const Image8& image, std::span<float> out) const {
  const auto stored = static_cast<std::size_t>(image.channels());
  const auto pixels = static_cast<std::size_t>(image.height() * image.width());
  const std::uint8_t* const in = image.pixels.data();
  for (std::size_t channel = 0; channel * pixels < out.size(); ++channel) {
    const std::array<float, 256>& table = byte_table_[channel];
    const std::size_t from = sourceChannel(channel, stored);
    float* const plane = out.data() + channel * pixels;
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
      plane[pixel] = table[in[pixel * stored + from]];
    }
  }
}

void InputWriter::writeImage(const Sample& sample, std::span<float> out) const {
  const Array<float> planes =
      resizedAndCropped(toPlanes(sample), std::holds_alternative<Image8>(sample));
  const auto stored = static_cast<std::size_t>(planes.extent(0));
  const auto pixels = static_cast<std::size_t>(planes.rowSize());
  for (std::size_t channel = 0; channel * pixels < out.size(); ++channel) {
    const float* const in = planes.data() + sourceChannel(channel, stored) * pixels;
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
      out[channel * pixels + pixel] = normalised(static_cast<double>(in[pixel]), channel);
    }
  }
}

void InputWriter::write(const Sample& sample, std::span<float> out) const {
  const std::vector<std::int64_t>& stored = shapeOfSample(sample);
  if (stored.size() == 1) {
    const Array<float>& values = std::get<Array<float>>(sample);
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = normalised(static_cast<double>(values.data()[i]), i);
    }
    return;
  }
  const auto* const image = std::get_if<Image8>(&sample);
  const Size size{stored[0], stored[1]};
  const Size scaled = scaledSize(preprocessing_, size);
  const bool keeps_size = scaled == size && croppedSize(preprocessing_, scaled) == size;
  const bool to_grey = stored[2] == 3 && preprocessing_.channels == 1;
  if (image != nullptr && keeps_size && !to_grey) {
    writeBytes(*image, out);
  } else {
    writeImage(sample, out);
  }
}

}  // namespace dubito
