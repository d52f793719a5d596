// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/rotation/rotation_lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "core/data/images/input_range.h"
#include "core/data/images/network_image.h"
#include "core/data/pixels/corrupted.h"

namespace dubito {
namespace {

constexpr double kDegreesPerSeverity = 15.0;  // theory, section 13
constexpr double kLastDegrees = 180.0;
constexpr double kLastSeverity = 5.0;

Expected<Sample> sampleAt(const Dataset& dataset, std::int64_t index) {
  if (index < 0 || index >= dataset.size()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: has no item {}; give a number from 0 to {}", dataset.info().name,
                            index, dataset.size() - 1));
  }
  auto sample = dataset.read(index);
  if (!sample) {
    Error error = sample.error();
    error.message = fmt::format("{}, item {}: cannot be read ({}); choose another item",
                                dataset.info().name, dataset.itemName(index), error.message);
    return tl::unexpected<Error>(std::move(error));
  }
  return sample;
}

/// Inputs of equal shape in one array.
Array<float> stacked(const std::vector<Array<float>>& inputs) {
  std::vector<std::int64_t> shape = inputs.front().shape();
  shape.insert(shape.begin(), std::ssize(inputs));
  std::vector<float> values;
  values.reserve(inputs.size() * static_cast<std::size_t>(inputs.front().size()));
  for (const Array<float>& input : inputs) {
    values.insert(values.end(), input.data(), input.data() + input.size());
  }
  return Array<float>::fromVector(std::move(shape), std::move(values));
}

/// (1 - share) a + share b, of arrays of equal size.
template <class T>
std::vector<T> mixed(const Array<T>& a, const Array<T>& b, double share) {
  std::vector<T> values(static_cast<std::size_t>(a.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value =
        (1.0 - share) * static_cast<double>(a.data()[i]) + share * static_cast<double>(b.data()[i]);
    values[i] = static_cast<T>(std::is_integral_v<T> ? std::round(value) : value);
  }
  return values;
}

Expected<RotationPath> corruptedPath(const Dataset& dataset, std::int64_t index,
                                     const Preprocessing& preprocessing,
                                     const RotationOptions& options) {
  const auto sample = sampleAt(dataset, index);
  if (!sample) {
    return failWith(sample);
  }
  const CorruptionKind kind = options.kind();
  const bool in_degrees = kind == CorruptionKind::kRotation;
  const double end = options.end.value_or(in_degrees ? kLastDegrees : kLastSeverity);
  const std::int64_t id = dataset.ids()[static_cast<std::size_t>(index)];
  RotationPath path;
  std::vector<Array<float>> inputs;
  for (std::int64_t i = 0; i < options.steps; ++i) {
    const double position = end * static_cast<double>(i) / static_cast<double>(options.steps - 1);
    const auto changed =
        corrupted(*sample, {kind, in_degrees ? position / kDegreesPerSeverity : position}, id);
    if (!changed) {
      return failWith(changed);
    }
    auto input = preprocess(*changed, preprocessing);
    if (!input) {
      return failWith(input);
    }
    inputs.push_back(*std::move(input));
    if (auto image = toNetworkImage(*changed, preprocessing)) {
      path.images.push_back(*std::move(image));
    }
    path.positions.push_back(position);
  }
  path.inputs = stacked(inputs);
  return path;
}

Expected<RotationPath> walk(const Dataset& dataset, std::int64_t index,
                            const Preprocessing& preprocessing, const RotationOptions& options) {
  std::vector<Array<float>> ends;
  std::vector<Image8> images;
  for (const std::int64_t item : {index, *options.to}) {
    const auto sample = sampleAt(dataset, item);
    if (!sample) {
      return failWith(sample);
    }
    auto input = preprocess(*sample, preprocessing);
    if (!input) {
      return failWith(input);
    }
    ends.push_back(*std::move(input));
    if (auto image = toNetworkImage(*sample, preprocessing)) {
      images.push_back(*std::move(image));
    }
  }
  if (ends[0].shape() != ends[1].shape()) {
    return fail(ErrorCode::kInvalidArgument,
                "the two items have inputs of different shapes; choose another item");
  }
  const bool shows_images =
      images.size() == 2 && images[0].pixels.shape() == images[1].pixels.shape();
  RotationPath path;
  std::vector<Array<float>> inputs;
  for (std::int64_t i = 0; i < options.steps; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(options.steps - 1);
    inputs.push_back(Array<float>::fromVector(ends[0].shape(), mixed(ends[0], ends[1], share)));
    if (shows_images) {
      path.images.push_back({Array<std::uint8_t>::fromVector(
          images[0].pixels.shape(), mixed(images[0].pixels, images[1].pixels, share))});
    }
    path.positions.push_back(share);
  }
  path.inputs = stacked(inputs);
  return path;
}

}  // namespace

Expected<RotationPath> makeRotationPath(const Dataset& dataset, std::int64_t index,
                                        const Preprocessing& preprocessing,
                                        const RotationOptions& options) {
  const Preprocessing of_items = preprocessingFor(dataset, preprocessing);
  return options.isWalk() ? walk(dataset, index, of_items, options)
                          : corruptedPath(dataset, index, of_items, options);
}

}  // namespace dubito
