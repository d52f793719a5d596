// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/folder_dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <utility>

#include "core/data/pixels/image_file.h"
#include "core/data/sources/folder_scan.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

struct Labelled {
  std::vector<std::string> paths;
  std::vector<std::int64_t> labels;
  std::vector<std::string> class_names;
  std::vector<std::string> notes;
};

/// N of "prefix:N"; 0 if the option is absent.
Expected<std::size_t> prefixLength(const DatasetSpec& spec) {
  const auto option = spec.extra.find("labels");
  if (option == spec.extra.end()) {
    return 0U;
  }
  const std::string& value = option->second;
  constexpr std::string_view kPrefix = "prefix:";
  std::size_t length = 0;
  const char* const end = value.data() + value.size();
  const bool starts = value.rfind(kPrefix, 0) == 0;
  const auto parsed = starts ? std::from_chars(value.data() + kPrefix.size(), end, length)
                             : std::from_chars_result{};
  constexpr std::size_t kLongest = 100;
  if (!starts || parsed.ec != std::errc() || parsed.ptr != end || length < 1 || length > kLongest) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format(
            "{}: labels={} is not valid; use labels=prefix:N, the first N letters of the file name",
            toString(spec), value));
  }
  return length;
}

/// The first `letters` letters of UTF-8 text.
std::string firstLetters(const std::string& text, std::size_t letters) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const bool starts_letter = (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
    if (starts_letter && letters-- == 0) {
      break;
    }
  }
  return text.substr(0, at);
}

Labelled labelledByPrefix(std::vector<std::string> images, std::size_t letters) {
  Labelled result;
  std::vector<std::string> prefixes;
  prefixes.reserve(images.size());
  for (const std::string& image : images) {
    prefixes.push_back(firstLetters(fs::path(image).stem().string(), letters));
  }
  result.class_names = prefixes;
  std::sort(result.class_names.begin(), result.class_names.end());
  result.class_names.erase(std::unique(result.class_names.begin(), result.class_names.end()),
                           result.class_names.end());
  for (const std::string& prefix : prefixes) {
    result.labels.push_back(
        std::lower_bound(result.class_names.begin(), result.class_names.end(), prefix) -
        result.class_names.begin());
  }
  result.paths = std::move(images);
  return result;
}

Labelled labelledBySubfolder(const FolderScan& scan) {
  Labelled result;
  result.class_names = scan.subfolders;
  std::map<std::string, std::int64_t> numbers;
  for (const std::string& name : scan.subfolders) {
    numbers.emplace(name, static_cast<std::int64_t>(numbers.size()));
  }
  std::vector<std::int64_t> counts(numbers.size(), 0);
  std::int64_t outside = 0;
  for (const std::string& image : scan.images) {
    const std::size_t slash = image.find('/');
    if (slash == std::string::npos) {
      ++outside;
      continue;
    }
    const std::int64_t label = numbers.at(image.substr(0, slash));
    ++counts[static_cast<std::size_t>(label)];
    result.paths.push_back(image);
    result.labels.push_back(label);
  }
  if (outside > 0) {
    result.notes.push_back(
        fmt::format("{} images next to the class folders were ignored", outside));
  }
  const auto empty = std::count(counts.begin(), counts.end(), 0);
  if (empty > 0) {
    result.notes.push_back(
        fmt::format("{} of {} class folders contain no images", empty, counts.size()));
  }
  return result;
}

Labelled labelled(FolderScan scan, std::size_t prefix) {
  if (prefix > 0) {
    return labelledByPrefix(std::move(scan.images), prefix);
  }
  const bool in_subfolders =
      std::any_of(scan.images.begin(), scan.images.end(),
                  [](const std::string& image) { return image.find('/') != std::string::npos; });
  if (in_subfolders) {
    return labelledBySubfolder(scan);
  }
  Labelled flat;
  flat.labels.assign(scan.images.size(), -1);
  flat.paths = std::move(scan.images);
  flat.notes.emplace_back("the folder has no class folders; all labels are unknown");
  return flat;
}

}  // namespace

FolderDataset::FolderDataset(DatasetInfo info, std::string folder, std::vector<std::string> paths,
                             std::vector<std::int64_t> labels, std::vector<std::int64_t> ids,
                             std::vector<Attribute> attributes)
    : info_(std::move(info)),
      folder_(std::move(folder)),
      paths_(std::move(paths)),
      labels_(std::move(labels)),
      ids_(std::move(ids)),
      attributes_(std::move(attributes)) {
  const bool attributes_fit =
      std::all_of(attributes_.begin(), attributes_.end(),
                  [this](const Attribute& attribute) { return attribute.size() == size(); });
  if (labels_.size() != paths_.size() || ids_.size() != paths_.size() || !attributes_fit) {
    throw std::invalid_argument(
        "FolderDataset: labels, ids and attribute values must be as many as the paths");
  }
}

std::string FolderDataset::itemFile(std::int64_t index) const {
  return (fs::path(folder_) / paths_.at(static_cast<std::size_t>(index))).string();
}

Expected<Sample> FolderDataset::read(std::int64_t index) const {
  return readImageFile(itemFile(index)).map([](Image8 image) { return Sample(std::move(image)); });
}

Expected<ReducedSample> FolderDataset::readReduced(std::int64_t index,
                                                   std::int64_t min_side) const {
  return readReducedImageFile(itemFile(index), min_side).map([](ReducedImage reduced) {
    return ReducedSample{std::move(reduced.image), reduced.whole};
  });
}

namespace {

Expected<DatasetPtr> openFolder(const DatasetSpec& spec, RunContext& context) {
  if (const Status status = canReadPhotographs(); !status) {
    return fail(status.error().code, fmt::format("{}: {}", spec.location, status.error().message));
  }
  const Expected<std::size_t> prefix = prefixLength(spec);
  if (!prefix) {
    return failWith(prefix);
  }
  Expected<FolderScan> scan = scanFolder(spec.location, context);
  if (!scan) {
    return failWith(scan);
  }
  if (scan->images.empty()) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: contains no images ({} other files); give a folder of jpg or png "
                            "files, or one with a subfolder per class",
                            spec.location, scan->other_files));
  }
  const std::int64_t other_files = scan->other_files;
  Labelled items = labelled(std::move(*scan), *prefix);
  Expected<std::vector<std::int64_t>> ids = pathIds(spec.location, items.paths);
  if (!ids) {
    return failWith(ids);
  }
  DatasetInfo info;
  const fs::path folder = fs::path(spec.location).lexically_normal();
  info.name = (folder.has_filename() ? folder : folder.parent_path()).filename().string();
  info.spec = toString(spec);
  info.class_names = std::move(items.class_names);
  info.notes = std::move(items.notes);
  if (other_files > 0) {
    info.notes.push_back(
        other_files == 1 ? std::string("1 file that is not an image was ignored")
                         : fmt::format("{} files that are not images were ignored", other_files));
  }
  return std::make_shared<const FolderDataset>(std::move(info), spec.location,
                                               std::move(items.paths), std::move(items.labels),
                                               std::move(*ids));
}

class FolderKind : public DatasetKind {
 public:
  [[nodiscard]] std::string scheme() const override { return "folder"; }
  [[nodiscard]] std::string location() const override { return "DIR"; }
  [[nodiscard]] std::string label() const override { return "image folders"; }
  [[nodiscard]] std::vector<DatasetExample> examples() const override {
    return {{"folder:DIR", "images in one subfolder per class"},
            {"folder:DIR?labels=prefix:1", "the label is the first letter of the file name"}};
  }
  [[nodiscard]] std::vector<DatasetOption> options() const override {
    return {{{.name = "labels",
              .label = "Labels",
              .help = "empty: the name of the subfolder; prefix:1: the first letter of the file "
                      "name"}}};
  }
  [[nodiscard]] std::vector<std::string> patterns() const override { return {}; }
  [[nodiscard]] bool claimsName(const std::string& /*name*/) const override { return false; }
  [[nodiscard]] Expected<MatchConfidence> recognise(const PathToRecognise& path) const override {
    return path.is_folder ? MatchConfidence::kCertain : MatchConfidence::kNone;
  }
  [[nodiscard]] std::vector<std::string> files(const std::string& location) const override {
    return {location};
  }
  [[nodiscard]] std::vector<SourcePart> parts(const DatasetSpec& spec) const override {
    // Image ids are hashes of the paths relative to the folder.
    return {{canonicalPath(spec.location)}};
  }
  [[nodiscard]] Expected<DatasetPtr> open(const DatasetSpec& spec,
                                          RunContext& context) const override {
    return openFolder(spec, context);
  }
};

}  // namespace

std::shared_ptr<const DatasetKind> folderKind() {
  static const auto kind = std::make_shared<const FolderKind>();
  return kind;
}

}  // namespace dubito
