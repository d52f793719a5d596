// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/annotations_dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/data/pixels/image_file.h"
#include "core/data/sources/folder_dataset.h"
#include "core/review/formats/label_format.h"
#include "core/review/formats/utc_time.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

/// The labels and, if given, the images. File names may contain commas.
AnnotationSource annotationPaths(const std::string& location) {
  std::error_code ignored;
  if (fs::exists(location, ignored)) {
    return {.labels = location};
  }
  for (std::size_t comma = location.rfind(','); comma != std::string::npos && comma > 0;
       comma = location.rfind(',', comma - 1)) {
    if (fs::exists(location.substr(0, comma), ignored)) {
      return {.labels = location.substr(0, comma), .images = location.substr(comma + 1)};
    }
  }
  const std::size_t comma = std::min(location.find(','), location.size());
  return {.labels = location.substr(0, comma),
          .images = location.substr(std::min(comma + 1, location.size()))};
}

std::string imagesOf(const AnnotationSource& source) {
  std::error_code ignored;
  if (!source.images.empty() || fs::is_directory(source.labels, ignored)) {
    return source.images.empty() ? source.labels : source.images;
  }
  return fs::path(canonicalPath(source.labels)).parent_path().string();
}

/// The properties of the labels that any image has.
std::vector<Attribute> attributesOf(const std::vector<LabelRow>& rows) {
  struct Column {
    const char* name;
    std::string (*text)(const LabelRow& row);
  };
  constexpr Column kColumns[] = {
      {"score",
       [](const LabelRow& row) {
         return row.probability ? fmt::format("{}", *row.probability) : std::string();
       }},
      {"annotator", [](const LabelRow& row) { return row.annotator; }},
      {"time",
       [](const LabelRow& row) { return row.time_ms == 0 ? std::string() : utcText(row.time_ms); }},
      {"origin",
       [](const LabelRow& row) {
         return row.origin ? std::string(keyOf(*row.origin)) : std::string();
       }},
  };
  std::vector<Attribute> attributes;
  for (const Column& column : kColumns) {
    AttributeBuilder builder(column.name);
    bool any = false;
    for (const LabelRow& row : rows) {
      const std::string text = column.text(row);
      any = any || !text.empty();
      builder.add(text);
    }
    if (any) {
      attributes.push_back(std::move(builder).finish());
    }
  }
  return attributes;
}

Expected<DatasetPtr> openAnnotations(const DatasetSpec& spec, RunContext& context) {
  if (const Status status = canReadPhotographs(); !status) {
    return failOf(spec.location, status.error());
  }
  auto images = readAnnotatedImages(annotationSource(spec), context);
  if (!images) {
    return failWith(images);
  }
  DatasetInfo info;
  info.name = annotationsName(*images);
  info.spec = toString(spec);
  info.class_names = std::move(images->class_names);
  for (const LabelNote& note : images->notes) {
    info.notes.push_back(toText(note));
  }
  std::vector<std::int64_t> labels;
  for (const LabelRow& row : images->rows) {
    labels.push_back(*row.class_id);
  }
  return std::make_shared<const FolderDataset>(std::move(info), std::move(images->folder),
                                               std::move(images->paths), std::move(labels),
                                               std::move(images->ids), attributesOf(images->rows));
}

class AnnotationsKind : public DatasetKind {
 public:
  [[nodiscard]] std::string scheme() const override { return kAnnotationsScheme; }
  [[nodiscard]] std::string location() const override { return "LABELS[,IMAGES]"; }
  [[nodiscard]] std::string label() const override { return "labels of other programs"; }
  [[nodiscard]] std::vector<DatasetExample> examples() const override {
    return {{"annotations:LABELS,IMAGES", "labels of another program and the folder of the images"},
            {"annotations:LABELS?format=label-studio", "a format that is not recognised"}};
  }
  [[nodiscard]] std::vector<DatasetOption> options() const override {
    return {{{.name = "format",
              .label = "Format",
              .help = "key of a label format; empty: recognised by its content"}},
            {{.name = "field",
              .label = "Field",
              .help = "field of a sample (FiftyOne) or control (Label Studio) with the class"}}};
  }
  [[nodiscard]] std::vector<std::string> patterns() const override {
    return {"*.json", "*.jsonl", "*.xml"};
  }
  [[nodiscard]] bool claimsName(const std::string& /*name*/) const override {
    return false;  // metadata of models has such names as well
  }
  [[nodiscard]] Expected<MatchConfidence> recognise(const PathToRecognise& path) const override {
    // Tables and folders are opened by the kinds csv: and folder:.
    constexpr std::string_view kFirst = "[{<\xEF";
    if (path.is_folder || path.is_list || path.first_bytes.empty() ||
        kFirst.find(path.first_bytes.front()) == std::string_view::npos) {
      return MatchConfidence::kNone;
    }
    RunContext context;
    const auto recognised = recogniseLabels(path.path, {}, context);
    return recognised && std::string_view(recognised->format->key) != "csv"
               ? MatchConfidence::kPossible
               : MatchConfidence::kNone;
  }
  [[nodiscard]] std::vector<std::string> files(const std::string& location) const override {
    AnnotationSource source = annotationPaths(location);
    return source.images.empty() ? std::vector{std::move(source.labels)}
                                 : std::vector{std::move(source.labels), std::move(source.images)};
  }
  [[nodiscard]] std::vector<SourcePart> parts(const DatasetSpec& spec) const override {
    // Image ids are hashes of the paths relative to the folder of the images.
    return {{canonicalPath(imagesOf(annotationPaths(spec.location)))}};
  }
  [[nodiscard]] Expected<DatasetPtr> open(const DatasetSpec& spec,
                                          RunContext& context) const override {
    return openAnnotations(spec, context);
  }
  [[nodiscard]] std::optional<FieldInfo> secondFile() const override {
    return FieldInfo{.name = "images_folder",
                     .label = "Images",
                     .help = "folder of the images; empty: the folder of the labels"};
  }
};

}  // namespace

std::shared_ptr<const DatasetKind> annotationsKind() {
  static const auto kind = std::make_shared<const AnnotationsKind>();
  return kind;
}

AnnotationSource annotationSource(const DatasetSpec& spec) {
  AnnotationSource source = annotationPaths(spec.location);
  const auto option = [&](const char* key) {
    const auto found = spec.extra.find(key);
    return found == spec.extra.end() ? std::string() : found->second;
  };
  source.format = option("format");
  source.field = option("field");
  return source;
}

std::string annotationsName(const AnnotatedImages& images) {
  const fs::path path = fs::absolute(images.folder).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

std::string annotationsSpec(const AnnotationSource& source) {
  const auto absolute = [](const std::string& path) {
    return fs::absolute(path).lexically_normal().string();
  };
  DatasetSpec spec;
  spec.scheme = kAnnotationsScheme;
  spec.location = absolute(source.labels);
  if (!source.images.empty()) {
    spec.location += ',' + absolute(source.images);
  }
  if (!source.format.empty()) {
    spec.extra["format"] = source.format;
  }
  if (!source.field.empty()) {
    spec.extra["field"] = source.field;
  }
  return toString(spec);
}

std::string annotationsSpecIn(const std::string& spec, const std::string& images) {
  const auto parsed = parseDatasetSpec(spec);
  if (!parsed || parsed->scheme != kAnnotationsScheme) {
    return {};
  }
  AnnotationSource source = annotationSource(*parsed);
  source.images = images;
  return annotationsSpec(source);
}

}  // namespace dubito
