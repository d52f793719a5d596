// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/idx_dataset.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <string_view>
#include <utility>

#include "core/data/sources/array_dataset.h"
#include "core/data/sources/idx_file.h"
#include "core/data/sources/stored_labels.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

bool isFile(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

/// Images and labels of "IMAGES" or "IMAGES,LABELS". A path may contain commas, so the location is
/// split where both sides are files.
std::pair<std::string, std::string> splitLocation(const std::string& location) {
  if (isFile(location) || location.find(',') == std::string::npos) {
    return {location, ""};
  }
  for (std::size_t comma = location.find(','); comma != std::string::npos;
       comma = location.find(',', comma + 1)) {
    if (isFile(location.substr(0, comma)) && isFile(location.substr(comma + 1))) {
      return {location.substr(0, comma), location.substr(comma + 1)};
    }
  }
  const std::size_t comma = location.rfind(',');
  return {location.substr(0, comma), location.substr(comma + 1)};
}

bool replaceLast(std::string& text, std::string_view what, std::string_view with) {
  const std::size_t at = text.rfind(what);
  if (at == std::string::npos) {
    return false;
  }
  text.replace(at, what.size(), with);
  return true;
}

/// The labels file that matches the name of `images`; empty if there is none.
std::string findLabelsFile(const std::string& images) {
  const fs::path path(images);
  std::string name = path.filename().string();
  if (!replaceLast(name, "images", "labels")) {
    return {};
  }
  replaceLast(name, "idx3", "idx1");
  replaceLast(name, "idx4", "idx1");
  std::string other_form = name;
  if (!replaceLast(other_form, ".gz", "")) {
    other_form += ".gz";
  }
  for (const std::string& candidate : {name, other_form}) {
    std::string labels = (path.parent_path() / candidate).string();
    if (isFile(labels)) {
      return labels;
    }
  }
  return {};
}

/// "mnist t10k" for mnist/t10k-images-idx3-ubyte.gz: the usual file names are not meaningful on
/// their own.
std::string nameOf(const std::string& images) {
  const fs::path path(images);
  std::string name = path.filename().string();
  for (const char* const part :
       {".gz", "-ubyte", ".ubyte", "-idx3", ".idx3", "-idx4", ".idx4", ".idx", "-images"}) {
    replaceLast(name, part, "");
  }
  const std::string folder = path.parent_path().filename().string();
  const bool says_little = name.empty() || name.rfind("t10k", 0) == 0 ||
                           name.rfind("train", 0) == 0 || name.rfind("test", 0) == 0;
  return says_little && !folder.empty() ? fmt::format("{} {}", folder, name) : name;
}

/// The shape as [N, H, W, C], or [N, F] for vectors of non-byte elements.
Expected<std::vector<std::int64_t>> itemShape(const AnyArray& images, const std::string& path) {
  const std::vector<std::int64_t>& shape = shapeOf(images);
  if (shape.size() == 3) {
    return std::vector<std::int64_t>{shape[0], shape[1], shape[2], 1};
  }
  const bool vectors = shape.size() == 2 && !std::holds_alternative<Array<std::uint8_t>>(images);
  if (vectors || (shape.size() == 4 && (shape[3] == 1 || shape[3] == 3))) {
    return shape;
  }
  return fail(ErrorCode::kInvalidArgument,
              shape.size() == 1
                  ? fmt::format("{}: this file holds labels, not images; give the images first, "
                                "as in idx:IMAGES,LABELS",
                                path)
                  : fmt::format("{}: holds {}, which are not images; N x height x width is needed",
                                path, fmt::join(shape, " x ")));
}

ArrayDataset::Values valuesOf(const AnyArray& images, const std::vector<std::int64_t>& shape) {
  const auto* const bytes = std::get_if<Array<std::uint8_t>>(&images);
  return bytes != nullptr ? ArrayDataset::Values(bytes->reshaped(shape))
                          : ArrayDataset::Values(toFloat(images).reshaped(shape));
}

Expected<std::vector<std::int64_t>> readLabels(const std::string& path, const std::string& images,
                                               std::int64_t count, RunContext& context) {
  const Expected<AnyArray> array = readIdx(path, context);
  if (!array) {
    return failWith(array);
  }
  const std::vector<std::int64_t>& shape = shapeOf(*array);
  if (shape.size() != 1) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format(
            "{}: holds {}, not one label per item; give the labels second, as in idx:IMAGES,LABELS",
            path, fmt::join(shape, " x ")));
  }
  if (shape[0] != count) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: holds {} labels, but {} holds {} images; give files that belong "
                            "together",
                            path, shape[0], images, count));
  }
  return labelsFromArray(*array, path);
}

Expected<DatasetPtr> openIdx(const DatasetSpec& spec, RunContext& context) {
  auto [images_path, labels_path] = splitLocation(spec.location);
  const Expected<AnyArray> images = readIdx(images_path, context);
  if (!images) {
    return failWith(images);
  }
  const Expected<std::vector<std::int64_t>> shape = itemShape(*images, images_path);
  if (!shape) {
    return failWith(shape);
  }
  DatasetInfo info;
  info.name = nameOf(images_path);
  info.spec = toString(spec);
  if (!std::holds_alternative<Array<std::uint8_t>>(*images)) {
    info.notes.push_back(
        fmt::format("{}: holds {} instead of bytes", images_path, typeName(*images)));
  }
  if (labels_path.empty()) {
    labels_path = findLabelsFile(images_path);
  }
  std::vector<std::int64_t> labels(static_cast<std::size_t>(shape->front()), -1);
  if (labels_path.empty()) {
    info.notes.push_back(fmt::format(
        "{}: no labels file was found next to it; all labels are unknown", images_path));
  } else {
    Expected<std::vector<std::int64_t>> known =
        readLabels(labels_path, images_path, shape->front(), context);
    if (!known) {
      return failWith(known);
    }
    labels = std::move(*known);
  }
  return std::make_shared<const ArrayDataset>(std::move(info), valuesOf(*images, *shape),
                                              std::move(labels));
}

class IdxKind : public DatasetKind {
 public:
  [[nodiscard]] std::string scheme() const override { return "idx"; }
  [[nodiscard]] std::string location() const override { return "IMAGES[,LABELS]"; }
  [[nodiscard]] std::string label() const override { return "IDX files"; }
  [[nodiscard]] std::vector<DatasetExample> examples() const override {
    return {{"idx:IMAGES,LABELS", "MNIST's format, gzipped or not"}};
  }
  [[nodiscard]] std::vector<DatasetOption> options() const override { return {}; }
  [[nodiscard]] std::vector<std::string> patterns() const override {
    return {"*ubyte*", "*idx*", "*.gz"};
  }
  [[nodiscard]] bool claimsName(const std::string& name) const override {
    return name.find("ubyte") != std::string::npos || name.find("idx") != std::string::npos;
  }
  [[nodiscard]] Expected<MatchConfidence> recognise(const PathToRecognise& path) const override {
    const std::string& bytes = path.first_bytes;
    // Images may begin with any bytes; these are shared with other formats.
    const bool possible = path.is_list || path.path.find("-ubyte") != std::string::npos ||
                          bytes.starts_with("\x1f\x8b") ||
                          bytes.starts_with(std::string_view("\0\0", 2));
    return possible && !path.is_folder ? MatchConfidence::kPossible : MatchConfidence::kNone;
  }
  [[nodiscard]] std::vector<std::string> files(const std::string& location) const override {
    auto [images, labels] = splitLocation(location);
    return labels.empty() ? std::vector{std::move(images)}
                          : std::vector{std::move(images), std::move(labels)};
  }
  [[nodiscard]] std::vector<SourcePart> parts(const DatasetSpec& spec) const override {
    return {{canonicalPath(splitLocation(spec.location).first)}};
  }
  [[nodiscard]] Expected<DatasetPtr> open(const DatasetSpec& spec,
                                          RunContext& context) const override {
    return openIdx(spec, context);
  }
  [[nodiscard]] std::optional<FieldInfo> secondFile() const override {
    return FieldInfo{.name = "labels_file",
                     .label = "Labels file",
                     .help = "empty: the matching file next to the images"};
  }
};

}  // namespace

std::shared_ptr<const DatasetKind> idxKind() {
  static const auto kind = std::make_shared<const IdxKind>();
  return kind;
}

}  // namespace dubito
