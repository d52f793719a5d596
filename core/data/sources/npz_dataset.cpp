// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/npz_dataset.h"
#include "core/base/in_quotes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>

#include "core/base/memory_budget.h"
#include "core/data/sources/array_dataset.h"
#include "core/data/sources/stored_labels.h"
#include "core/io/npz_file.h"

namespace dubito {
namespace {

const std::vector<std::string> kImageKeys{"images", "image", "x", "X", "data"};
const std::vector<std::string> kLabelKeys{"labels", "label", "y", "Y", "targets"};

std::string firstPresent(const NpzFile& file, const std::vector<std::string>& keys) {
  const auto found = std::find_if(keys.begin(), keys.end(),
                                  [&file](const std::string& key) { return file.contains(key); });
  return found == keys.end() ? std::string() : *found;
}

/// Possible array names of one split: "x_train" as in Keras, or "train_images".
std::vector<std::string> keysOfSplit(const std::vector<std::string>& keys,
                                     const std::string& split) {
  std::vector<std::string> names;
  for (const std::string& key : keys) {
    names.push_back(fmt::format("{}_{}", key, split));
    names.push_back(fmt::format("{}_{}", split, key));
  }
  return names;
}

/// The arrays with the items and labels.
struct Keys {
  std::string images;
  std::string labels;  ///< empty: none
  std::string split;   ///< empty: the file has no splits
  std::vector<std::string> other_splits;
};

Expected<Keys> chooseKeys(const NpzFile& file, const DatasetSpec& spec) {
  static const std::vector<std::string> splits{"train", "val", "test"};
  const auto option = spec.extra.find("split");
  const bool requested = option != spec.extra.end();
  if (requested && std::find(splits.begin(), splits.end(), option->second) == splits.end()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: split={} is not known; use one of {}", toString(spec),
                            option->second, fmt::join(splits, ", ")));
  }
  if (const std::string images = firstPresent(file, kImageKeys); !images.empty() && !requested) {
    return Keys{images, firstPresent(file, kLabelKeys), {}, {}};
  }
  std::vector<std::string> present;
  for (const std::string& split : splits) {
    if (!firstPresent(file, keysOfSplit(kImageKeys, split)).empty()) {
      present.push_back(split);
    }
  }
  const auto has = [&present](const std::string& split) {
    return std::find(present.begin(), present.end(), split) != present.end();
  };
  if (present.empty() || (requested && !has(option->second))) {
    return fail(
        ErrorCode::kNotFound,
        requested
            ? fmt::format("{}: none of its arrays ({}) belongs to the split '{}'; name "
                          "the inputs x_{} or omit split",
                          spec.location, inQuotes(file.names()), option->second, option->second)
            : fmt::format("{}: none of its arrays ({}) is named {}; rename the inputs",
                          spec.location, inQuotes(file.names()), fmt::join(kImageKeys, ", ")));
  }
  // Test data must not be used for fitting.
  const bool to_fit = spec.role == Role::kTrain || spec.role == Role::kCalibration;
  const std::string wanted = requested ? option->second : to_fit ? "train" : "test";
  Keys keys;
  keys.split = has(wanted) ? wanted : present.front();
  if (to_fit && keys.split == "test" && !requested) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: contains only test items, which should not be fitted on; give "
                            "training items, or name the split to use these anyway",
                            toString(spec)),
                {datasetSetting("split", "test")});
  }
  keys.images = firstPresent(file, keysOfSplit(kImageKeys, keys.split));
  keys.labels = firstPresent(file, keysOfSplit(kLabelKeys, keys.split));
  std::copy_if(present.begin(), present.end(), std::back_inserter(keys.other_splits),
               [&keys](const std::string& split) { return split != keys.split; });
  return keys;
}

bool isChannelCount(std::int64_t extent) {
  return extent == 1 || extent == 3;
}

struct Layout {
  std::vector<std::int64_t> shape;
  ChannelAxis axis = ChannelAxis::kLast;
};

/// The meaning of the axes of the stored array.
Expected<Layout> layoutOf(const std::vector<std::int64_t>& shape, const std::string& label) {
  if (shape.empty() || std::find(shape.begin(), shape.end(), 0) != shape.end()) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{} has the shape {}, which has no items; give an array with items",
                            label, shapeText(shape)));
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

ArrayDataset::Values imageValuesOf(const AnyArray& array, const std::vector<std::int64_t>& shape) {
  if (const auto* const bytes = std::get_if<Array<std::uint8_t>>(&array)) {
    return bytes->reshaped(shape);
  }
  return toFloat(array).reshaped(shape);
}

/// One label per item: a number, a name or a one-hot row.
Expected<StoredLabels> readLabels(const NpzFile& file, const std::string& key, std::int64_t count,
                                  std::vector<std::string>& notes) {
  auto values = file.readOrTexts(key);
  if (!values) {
    return failWith(values);
  }
  const GivenClasses given{fmt::format("{}: {}", file.path(), key), *std::move(values)};
  const std::vector<std::int64_t>& shape = shapeOf(given.values);
  if (shape.empty() || shape.size() > 2 || shape[0] != count) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{} has the shape {}, but there are {} items; give one whole number, "
                            "one name or one one-hot row per item",
                            given.name, shapeText(shape), count));
  }
  return storedLabels(given, notes);
}

/// Name of the array that openNpz reads the items from.
Expected<std::string> itemsArrayOf(const DatasetSpec& spec) {
  const Expected<NpzFile> file = NpzFile::open(spec.location);
  if (!file) {
    return failWith(file);
  }
  auto keys = chooseKeys(*file, spec);
  return keys ? Expected<std::string>(std::move(keys->images)) : failWith(keys);
}

/// The same, from the specification if the file does not tell.
std::string arrayOf(const DatasetSpec& spec) {
  if (const auto array = itemsArrayOf(spec)) {
    return *array;
  }
  if (const auto split = spec.extra.find("split"); split != spec.extra.end()) {
    return "x_" + split->second;
  }
  return spec.role == Role::kTrain || spec.role == Role::kCalibration ? "x_train" : "x_test";
}

Expected<DatasetPtr> openNpz(const DatasetSpec& spec, RunContext& context) {
  const Expected<NpzFile> file = NpzFile::open(spec.location);
  if (!file) {
    return failWith(file);
  }
  const Expected<Keys> keys = chooseKeys(*file, spec);
  if (!keys) {
    return failWith(keys);
  }
  const std::string& images_key = keys->images;
  const Expected<AnyArray> images = file->read(images_key);
  if (!images) {
    return failWith(images);
  }
  const Expected<Layout> layout =
      layoutOf(shapeOf(*images), fmt::format("{}: {}", spec.location, images_key));
  if (!layout) {
    return failWith(layout);
  }
  const bool are_bytes = std::holds_alternative<Array<std::uint8_t>>(*images);
  const std::int64_t bytes =
      sizeOf(*images) * (are_bytes ? 1 : static_cast<std::int64_t>(sizeof(float)));
  if (context.memory_budget_bytes > 0 && bytes > context.memory_budget_bytes) {
    return fail(ErrorCode::kOutOfMemory,
                fmt::format("{}: {} takes {}{}, more than the {} allowed; allow more memory",
                            spec.location, images_key, bytesText(static_cast<double>(bytes)),
                            are_bytes ? "" : " as real numbers",
                            bytesText(static_cast<double>(context.memory_budget_bytes))),
                {setting("memory")});
  }
  DatasetInfo info;
  info.name = std::filesystem::path(spec.location).stem().string();
  info.spec = toString(spec);
  info.role = keys->split == "train" ? Role::kTrain : info.role;
  if (!keys->other_splits.empty()) {
    info.notes.push_back(fmt::format("{}: {} was opened; the split {} has other items",
                                     spec.location, images_key,
                                     fmt::join(keys->other_splits, " or ")));
  }
  if (!are_bytes) {
    info.notes.push_back(fmt::format("{}: {} holds {} instead of bytes", spec.location, images_key,
                                     typeName(*images)));
  }
  const std::int64_t count = layout->shape[0];
  std::vector<std::int64_t> labels(static_cast<std::size_t>(count), -1);
  const std::string& labels_key = keys->labels;
  if (labels_key.empty()) {
    info.notes.push_back(fmt::format("{}: none of its arrays is named {}; all labels are unknown",
                                     spec.location, fmt::join(kLabelKeys, ", ")));
  } else {
    Expected<StoredLabels> known = readLabels(*file, labels_key, count, info.notes);
    if (!known) {
      return failWith(known);
    }
    labels = std::move(known->numbers);
    info.class_names = std::move(known->class_names);
  }
  return std::make_shared<const ArrayDataset>(
      std::move(info), imageValuesOf(*images, layout->shape), std::move(labels), layout->axis);
}

class NpzKind : public DatasetKind {
 public:
  [[nodiscard]] std::string scheme() const override { return "npz"; }
  [[nodiscard]] std::string location() const override { return "FILE"; }
  [[nodiscard]] std::string label() const override { return "NPZ files"; }
  [[nodiscard]] std::vector<DatasetExample> examples() const override {
    return {{"npz:FILE?split=test", "arrays x and y, or x_train, x_test, …"}};
  }
  [[nodiscard]] std::vector<DatasetOption> options() const override {
    return {{{.name = "split",
              .label = "Split",
              .help = "train, val or test; empty: chosen by the role"}}};
  }
  [[nodiscard]] std::vector<std::string> patterns() const override { return {"*.npz"}; }
  [[nodiscard]] bool claimsName(const std::string& /*name*/) const override {
    return false;  // runs have such names as well
  }
  [[nodiscard]] Expected<MatchConfidence> recognise(const PathToRecognise& path) const override {
    const bool is_npz = path.path.ends_with(".npz") || path.first_bytes.starts_with("PK\x03\x04");
    return is_npz && !path.is_list && !path.is_folder ? MatchConfidence::kCertain
                                                      : MatchConfidence::kNone;
  }
  [[nodiscard]] std::vector<std::string> files(const std::string& location) const override {
    return {location};
  }
  [[nodiscard]] std::vector<SourcePart> parts(const DatasetSpec& spec) const override {
    return {{canonicalPath(spec.location) + ":" + arrayOf(spec)}};
  }
  [[nodiscard]] Expected<DatasetPtr> open(const DatasetSpec& spec,
                                          RunContext& context) const override {
    return openNpz(spec, context);
  }
  /// Pins the split that the role selects.
  [[nodiscard]] DatasetSpec independentOfRole(DatasetSpec spec) const override {
    if (spec.extra.contains("split")) {
      return spec;
    }
    const auto array = itemsArrayOf(spec);
    for (const char* const split : {"train", "val", "test"}) {
      if (array && array->find(split) != std::string::npos) {
        spec.extra["split"] = split;
      }
    }
    return spec;
  }
};

}  // namespace

std::shared_ptr<const DatasetKind> npzKind() {
  static const auto kind = std::make_shared<const NpzKind>();
  return kind;
}

}  // namespace dubito
