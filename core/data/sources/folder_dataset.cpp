// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/folder_dataset.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <map>
#include <span>
#include <stdexcept>
#include <utility>

#include "core/data/pixels/image_file.h"
#include "core/data/sources/folder_scan.h"
#include "core/data/sources/split_folders.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

struct Labelled {
  std::vector<std::string> paths;
  std::vector<std::int64_t> labels;
  std::vector<std::string> class_names;
  std::vector<std::string> notes;
};

/// labels=folder: the subfolders are classes whatever their names.
constexpr const char* kByFolder = "folder";

bool labelsByFolder(const DatasetSpec& spec) {
  const auto option = spec.extra.find("labels");
  return option != spec.extra.end() && option->second == kByFolder;
}

/// N of "prefix:N"; 0 if the labels are not to come from the names of files.
Expected<std::size_t> prefixLength(const DatasetSpec& spec) {
  const auto option = spec.extra.find("labels");
  if (option == spec.extra.end() || option->second == kByFolder) {
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
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: labels={} is not valid; use prefix:N, the first N letters of the "
                            "file name, or folder, the name of the subfolder",
                            toString(spec), value),
                {datasetSetting("labels", "prefix:N"), datasetSetting("labels", "folder")});
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
  std::vector<std::string> outside;
  for (const std::string& image : scan.images) {
    const std::size_t slash = image.find('/');
    if (slash == std::string::npos) {
      outside.push_back(image);
      continue;
    }
    const std::int64_t label = numbers.at(image.substr(0, slash));
    ++counts[static_cast<std::size_t>(label)];
    result.paths.push_back(image);
    result.labels.push_back(label);
  }
  constexpr std::size_t kNamed = 5;
  if (!outside.empty()) {
    result.notes.push_back(fmt::format(
        "{} next to the class folders {} ignored: {}{}",
        outside.size() == 1 ? std::string("1 image") : fmt::format("{} images", outside.size()),
        outside.size() == 1 ? "was" : "were",
        fmt::join(std::span(outside).first(std::min(kNamed, outside.size())), ", "),
        outside.size() > kNamed ? ", ..." : ""));
  }
  std::vector<std::string> empty;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) {
      empty.push_back(scan.subfolders[i]);
    }
  }
  if (!empty.empty()) {
    result.notes.push_back(
        fmt::format("{} of {} class folders {} no images: {}{}", empty.size(), counts.size(),
                    empty.size() == 1 ? "contains" : "contain",
                    fmt::join(std::span(empty).first(std::min(kNamed, empty.size())), ", "),
                    empty.size() > kNamed ? ", ..." : ""));
  }
  if (auto note = sameFoldersNote(scan)) {
    result.notes.push_back(*std::move(note));
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

/// Fails if folders look like the splits of a dataset instead of its classes.
Status checkNoSplits(const DatasetSpec& spec, const FolderScan& scan) {
  const std::vector<std::string> splits = splitFolders(scan);
  if (splits.empty()) {
    return {};
  }
  const bool is_one = splits.size() == 1;
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("{}: {} {} of a dataset, not like {}; open {} (folder:{}), or take the "
                          "labels from the folders if {}",
                          spec.location, fmt::join(splits, ", "),
                          is_one ? "looks like a split" : "look like the splits",
                          is_one ? "a class" : "classes", is_one ? "it" : "one of them",
                          (fs::path(spec.location) / splits.front()).string(),
                          is_one ? "it is a class" : "they are classes"),
              {datasetSetting("labels", "folder")});
}

Expected<DatasetPtr> openFolder(const DatasetSpec& spec, RunContext& context) {
  if (const Status status = canReadPhotographs(); !status) {
    return failOf(spec.location, status.error());
  }
  const Expected<std::size_t> prefix = prefixLength(spec);
  if (!prefix) {
    return failWith(prefix);
  }
  Expected<FolderScan> scan = scanFolder(spec.location, context);
  if (!scan) {
    return failWith(scan);
  }
  std::vector<std::string> also_found = notesOf(*scan);
  if (scan->images.empty()) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: contains no images{}{}; give a folder of images, or one with a "
                            "subfolder per class",
                            spec.location,
                            also_found.empty() ? "" : ", but: ", fmt::join(also_found, "; ")));
  }
  if (*prefix == 0 && !labelsByFolder(spec)) {
    if (Status classes = checkNoSplits(spec, *scan); !classes) {
      return failWith(classes);
    }
  }
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
  std::ranges::move(also_found, std::back_inserter(info.notes));
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
    return {
        {{.name = "labels",
          .label = "Labels",
          .help = "empty: the name of the subfolder, unless the subfolders look like splits; "
                  "folder: the name of the subfolder whatever it is; prefix:1: the first letter "
                  "of the file name"}}};
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
