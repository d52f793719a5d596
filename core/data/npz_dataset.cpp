// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <utility>

#include "core/data/array_dataset.h"
#include "core/data/openers.h"
#include "core/io/npz_file.h"

namespace dubito {
namespace {

constexpr std::initializer_list<const char*> kImageKeys{"images", "image", "x", "X", "data"};
constexpr std::initializer_list<const char*> kLabelKeys{"labels", "label", "y", "Y", "targets"};

std::string firstPresent(const NpzFile& file, std::initializer_list<const char*> keys) {
  const auto found = std::find_if(keys.begin(), keys.end(),
                                  [&file](const char* key) { return file.contains(key); });
  return found == keys.end() ? std::string() : std::string(*found);
}

bool isChannelCount(std::int64_t extent) {
  return extent == 1 || extent == 3;
}

struct Layout {
  std::vector<std::int64_t> shape;
  ChannelAxis axis = ChannelAxis::kLast;
};

/// How the axes of the stored array are meant.
Expected<Layout> layoutOf(const std::vector<std::int64_t>& shape, const std::string& label) {
  if (shape.empty() || std::find(shape.begin(), shape.end(), 0) != shape.end()) {
    return fail(
        ErrorCode::kMalformed,
        fmt::format("{} has the shape {}, which is no item at all; give an array with items", label,
                    shapeText(shape)));
  }
  if (shape.size() == 2) {
    return Layout{shape};
  }
  if (shape.size() == 3) {
    return Layout{{shape[0], shape[1], shape[2], 1}};
  }
  if (shape.size() == 4) {
    const bool first = isChannelCount(shape[1]);
    const bool last = isChannelCount(shape[3]);
    if (first != last) {
      return Layout{shape, first ? ChannelAxis::kFirst : ChannelAxis::kLast};
    }
    return fail(ErrorCode::kUnsupported,
                fmt::format("{} has the shape {}, in which {} axis can be the channels; store it "
                            "as N x H x W x C with 1 or 3 channels",
                            label, shapeText(shape), first ? "more than one" : "no"));
  }
  return fail(ErrorCode::kUnsupported,
              fmt::format("{} has the shape {}; N x H x W, N x H x W x C, N x C x H x W or N x F "
                          "is needed",
                          label, shapeText(shape)));
}

ArrayDataset::Values valuesOf(const AnyArray& array, const std::vector<std::int64_t>& shape) {
  if (const auto* const bytes = std::get_if<Array<std::uint8_t>>(&array)) {
    return bytes->reshaped(shape);
  }
  return toFloat(array).reshaped(shape);
}

Expected<std::vector<std::int64_t>> readLabels(const NpzFile& file, const std::string& key,
                                               std::int64_t count) {
  const std::string label = fmt::format("{}: {}", file.path(), key);
  const Expected<AnyArray> array = file.read(key);
  if (!array) {
    return failWith(array);
  }
  const std::vector<std::int64_t>& shape = shapeOf(*array);
  const bool one_each = shape.size() == 1 || (shape.size() == 2 && shape[1] == 1);
  if (!one_each || shape[0] != count) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{} has the shape {}, but there are {} items; one whole number an item "
                            "is needed",
                            label, shapeText(shape), count));
  }
  const Expected<Array<std::int64_t>> labels = toInt64(*array, label);
  if (!labels) {
    return failWith(labels);
  }
  const auto values = labels->values();
  const auto wrong =
      std::find_if(values.begin(), values.end(), [](std::int64_t value) { return value < -1; });
  if (wrong != values.end()) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{} is {} in row {}; classes count from 0, and -1 is unknown", label,
                            *wrong, wrong - values.begin()));
  }
  return std::vector<std::int64_t>(values.begin(), values.end());
}

}  // namespace

Expected<DatasetPtr> openNpz(const DatasetSpec& spec, RunContext& context) {
  const Expected<NpzFile> file = NpzFile::open(spec.location);
  if (!file) {
    return failWith(file);
  }
  const std::string images_key = firstPresent(*file, kImageKeys);
  if (images_key.empty()) {
    return fail(
        ErrorCode::kNotFound,
        fmt::format("{}: none of its arrays ({}) is named {}; name the inputs so", spec.location,
                    fmt::join(file->names(), ", "), fmt::join(kImageKeys, ", ")));
  }
  const Expected<AnyArray> images = file->read(images_key);
  if (!images) {
    return failWith(images);
  }
  const Expected<Layout> layout =
      layoutOf(shapeOf(*images), fmt::format("{}: {}", spec.location, images_key));
  if (!layout) {
    return failWith(layout);
  }
  const std::int64_t bytes = sizeOf(*images) * static_cast<std::int64_t>(sizeof(float));
  if (context.memory_budget_bytes > 0 && bytes > context.memory_budget_bytes) {
    return fail(
        ErrorCode::kOutOfMemory,
        fmt::format("{}: {} takes {} MB as real numbers, more than the {} MB allowed; allow "
                    "more",
                    spec.location, images_key, bytes >> 20, context.memory_budget_bytes >> 20));
  }
  DatasetInfo info;
  info.name = std::filesystem::path(spec.location).stem().string();
  info.spec = toString(spec);
  if (!std::holds_alternative<Array<std::uint8_t>>(*images)) {
    info.notes.push_back(fmt::format("{}: {} holds {}, which the model's scale meets as they are",
                                     spec.location, images_key, typeName(*images)));
  }
  const std::int64_t count = layout->shape[0];
  std::vector<std::int64_t> labels(static_cast<std::size_t>(count), -1);
  const std::string labels_key = firstPresent(*file, kLabelKeys);
  if (labels_key.empty()) {
    info.notes.push_back(fmt::format("{}: none of its arrays is named {}; all labels are unknown",
                                     spec.location, fmt::join(kLabelKeys, ", ")));
  } else {
    Expected<std::vector<std::int64_t>> known = readLabels(*file, labels_key, count);
    if (!known) {
      return failWith(known);
    }
    labels = std::move(*known);
  }
  return std::make_shared<const ArrayDataset>(std::move(info), valuesOf(*images, layout->shape),
                                              std::move(labels), layout->axis);
}

}  // namespace dubito
