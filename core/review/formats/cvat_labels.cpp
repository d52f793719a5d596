// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/cvat_labels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <pugixml.hpp>
#include <set>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/io/atomic_file.h"
#include "core/io/mapped_file.h"
#include "core/review/formats/image_extent.h"
#include "core/review/formats/place_head.h"
#include "core/review/formats/source_entries.h"
#include "core/review/formats/utf8_text.h"
#include "core/review/formats/xml_text.h"

namespace dubito {
namespace {

constexpr const char* kCvatRemedy = "export the task as CVAT for images 1.1 again";
constexpr std::int64_t kCvatImagesPerStep = 4096;

// --- Writing

/// Notes the classes and paths that xmlText() changes although they are UTF-8.
void noteControlCharacters(const LabelTable& table, std::vector<LabelNote>& notes) {
  std::set<std::string> changed;
  const auto check = [&changed](const std::string& text) {
    if (isUtf8(text) && xmlText(text) != text) {
      changed.insert(text);
    }
  };
  for (const LabelClass& each : table.classes) {
    check(each.name);
  }
  for (const LabelRow& row : table.rows) {
    if (row.present) {
      check(row.path);
    }
  }
  addNote(notes, "texts with control characters, written with replacement characters",
          std::vector<std::string>(changed.begin(), changed.end()));
}

void appendTextNode(pugi::xml_node parent, const char* name, const std::string& text) {
  parent.append_child(name).append_child(pugi::node_pcdata).set_value(text.c_str());
}

const char* cvatSource(LabelOrigin origin) {
  switch (origin) {
    case LabelOrigin::kModel:
      return "auto";
    case LabelOrigin::kDataset:
      return "file";
    case LabelOrigin::kPerson:
      break;
  }
  return "manual";
}

void appendCvatLabel(pugi::xml_node labels, const LabelClass& each) {
  pugi::xml_node label = labels.append_child("label");
  appendTextNode(label, "name", xmlText(each.name));
  if (!each.colour.empty()) {
    appendTextNode(label, "color", xmlText(each.colour));
  }
  appendTextNode(label, "type", "tag");
  label.append_child("attributes");
}

void appendCvatTag(pugi::xml_node image, const LabelRow& row, const ClassNames& names) {
  const std::string* const name = names.of(row.class_id);
  if (name == nullptr) {
    return;
  }
  // Tags come before the shapes, as CVAT writes them.
  pugi::xml_node tag = image.prepend_child("tag");
  tag.append_attribute("label") = xmlText(*name).c_str();
  if (row.origin) {
    tag.append_attribute("source") = cvatSource(*row.origin);
  }
}

void appendCvatImage(pugi::xml_node root, const LabelRow& row, const ClassNames& names,
                     long long id, const std::string& images) {
  pugi::xml_node image = root.append_child("image");
  image.append_attribute("id") = id;
  image.append_attribute("name") = xmlText(itemText(row)).c_str();
  if (const auto extent = imageExtent((std::filesystem::path(images) / row.path).string())) {
    image.append_attribute("width") = static_cast<long long>(extent->width);
    image.append_attribute("height") = static_cast<long long>(extent->height);
  }
  appendCvatTag(image, row, names);
}

void appendCvatMeta(pugi::xml_node root, const LabelTable& table, std::size_t images) {
  appendTextNode(root, "version", "1.1");
  pugi::xml_node task = root.append_child("meta").append_child("task");
  appendTextNode(task, "name", "labels");
  appendTextNode(task, "size", fmt::format("{}", images));
  appendTextNode(task, "mode", "annotation");
  pugi::xml_node labels = task.append_child("labels");
  for (const LabelClass& each : table.classes) {
    if (!each.merged_into) {
      appendCvatLabel(labels, each);
    }
  }
}

/// Opens and parses a file of CVAT.
Status loadCvat(const std::string& path, pugi::xml_document& document) {
  auto file = MappedFile::open(path);
  if (!file) {
    return failWith(file);
  }
  const ByteSpan bytes = (*file)->bytes();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with("PK\x03\x04")) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: is a ZIP archive; unpack it and give its annotations.xml", path));
  }
  const Status parsed = parseXml(text, path, kCvatRemedy, document);
  if (const Status unchanged = (*file)->unchanged(); !unchanged) {
    return failWith(unchanged);
  }
  if (!parsed) {
    return parsed;
  }
  const pugi::xml_node root = document.child("annotations");
  if (!root) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: the first element is {}, not <annotations>; {}", path,
                            inQuotes(document.document_element().name()), kCvatRemedy));
  }
  if (!root.child("image") && root.child("track")) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: has tracks of a video, but no images; {}", path, kCvatRemedy));
  }
  return {};
}

bool isTag(pugi::xml_node node) {
  return std::string_view(node.name()) == "tag";
}

/// Makes the label of `row` the only tag of an image, unless it is that already.
void replaceTags(pugi::xml_node image, const LabelRow& row, const ClassNames& names) {
  std::vector<pugi::xml_node> tags;
  for (const pugi::xml_node tag : image.children("tag")) {
    tags.push_back(tag);
  }
  const std::string* const name = names.of(row.class_id);
  if (name != nullptr && tags.size() == 1 &&
      tags.front().attribute("label").value() == xmlText(*name)) {
    return;
  }
  for (const pugi::xml_node tag : tags) {
    image.remove_child(tag);
  }
  appendCvatTag(image, row, names);
}

/// The labels element of the task, project or job; a new one if there is none.
pugi::xml_node labelsOfMeta(pugi::xml_node root) {
  pugi::xml_node meta = root.child("meta");
  meta = meta ? meta : root.prepend_child("meta");
  for (const pugi::xml_node part : meta.children()) {
    if (const pugi::xml_node labels = part.child("labels")) {
      return labels;
    }
  }
  return meta.append_child("task").append_child("labels");
}

/// The document of options.from with the labels of the table as tags.
Expected<LabelExport> rewriteCvat(const LabelTable& table, const std::string& path,
                                  const LabelExportOptions& options) {
  pugi::xml_document document;
  if (Status loaded = loadCvat(options.from, document); !loaded) {
    return failWith(loaded);
  }
  pugi::xml_node root = document.child("annotations");
  LabelExport result;
  std::int64_t shapes = 0;
  long long largest = -1;
  std::vector<pugi::xml_node> images;
  std::vector<LabelRow> entries;
  for (const pugi::xml_node image : root.children("image")) {
    images.push_back(image);
    entries.emplace_back().path = image.attribute("name").value();
    largest = std::max(largest, image.attribute("id").as_llong());
    for (const pugi::xml_node child : image.children()) {
      shapes += child.type() == pugi::node_element && !isTag(child) ? 1 : 0;
    }
  }
  const SourceLabels labels = labelsOfEntries(table, std::move(entries));
  const ClassNames names(table.classes);
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (labels.of_entry[i]) {
      replaceTags(images[i], table.rows[*labels.of_entry[i]], names);
      ++result.labels;
    }
  }
  for (const std::size_t i : labels.new_rows) {
    if (!itemText(table.rows[i]).empty()) {
      appendCvatImage(root, table.rows[i], names, ++largest, options.images);
      ++result.labels;
    }
  }
  pugi::xml_node declared = labelsOfMeta(root);
  std::set<std::string> known;
  for (const pugi::xml_node label : declared.children("label")) {
    known.insert(label.child("name").text().get());
  }
  for (const LabelClass& each : table.classes) {
    if (!each.merged_into && known.insert(xmlText(each.name)).second) {
      appendCvatLabel(declared, each);
    }
  }
  if (Status written = writeFileAtomically(path, textOfXml(document)); !written) {
    return failWith(written);
  }
  addNote(result.notes, "boxes, polygons and other shapes, written back untouched", shapes);
  noteTextsNotUtf8(table, result.notes);
  noteControlCharacters(table, result.notes);
  return result;
}

Expected<LabelExport> writeCvat(const LabelTable& table, const std::string& path,
                                const LabelExportOptions& options, RunContext& context) {
  if (!options.from.empty()) {
    return rewriteCvat(table, path, options);
  }
  const ClassNames names(table.classes);
  LabelExport result;
  const std::vector<std::size_t> rows = namedRows(table, result.notes);
  pugi::xml_document document = newXml();
  pugi::xml_node root = document.append_child("annotations");
  appendCvatMeta(root, table, rows.size());
  for (const std::size_t i : rows) {
    if (result.labels % kCvatImagesPerStep == 0 &&
        context.step("writing", result.labels, static_cast<std::int64_t>(rows.size())) ==
            Step::kCancel) {
      return cancelled();
    }
    appendCvatImage(root, table.rows[i], names, static_cast<long long>(result.labels++),
                    options.images);
  }
  if (Status written = writeFileAtomically(path, textOfXml(document)); !written) {
    return failWith(written);
  }
  noteTextsNotUtf8(table, result.notes);
  noteControlCharacters(table, result.notes);
  return result;
}

// --- Reading

std::optional<LabelOrigin> originOfCvat(std::string_view source) {
  if (source == "auto") {
    return LabelOrigin::kModel;
  }
  if (source == "file") {
    return LabelOrigin::kDataset;
  }
  return source.empty() ? std::nullopt : std::optional(LabelOrigin::kPerson);
}

/// Adds the classes that the task, project or job declares for tags.
void addCvatClasses(pugi::xml_node root, ClassIds& classes) {
  for (const pugi::xml_node part : root.child("meta").children()) {
    for (const pugi::xml_node label : part.child("labels").children("label")) {
      const std::string_view type = label.child("type").text().get();
      if (type.empty() || type == "tag" || type == "any") {
        classes.idOf(label.child("name").text().get());
      }
    }
  }
}

Expected<LabelImport> importsOfCvat(pugi::xml_node root, RunContext& context) {
  LabelImport result;
  ClassIds classes(result.table.classes);
  addCvatClasses(root, classes);
  std::vector<std::string> unlabelled;
  std::vector<std::string> ambiguous;
  std::vector<std::string> nameless;
  std::int64_t attributes = 0;
  std::int64_t count = 0;
  for (const pugi::xml_node image : root.children("image")) {
    if (count++ % kCvatImagesPerStep == 0 &&
        context.step("reading", count - 1, 0) == Step::kCancel) {
      return cancelled();
    }
    LabelRow row;
    row.path = image.attribute("name").value();
    if (row.path.empty()) {
      nameless.push_back(fmt::format("image {}", image.attribute("id").value()));
      continue;
    }
    std::set<std::string> labels;
    for (const pugi::xml_node child : image.children()) {
      if (child.type() != pugi::node_element) {
        continue;
      }
      if (!isTag(child)) {
        ++result.shapes;
        continue;
      }
      attributes +=
          std::distance(child.children("attribute").begin(), child.children("attribute").end());
      labels.insert(child.attribute("label").value());
      row.origin = originOfCvat(child.attribute("source").value());
    }
    if (labels.empty()) {
      unlabelled.push_back(row.path);
    } else if (labels.size() > 1) {
      ambiguous.push_back(fmt::format("{}: {}", row.path, fmt::join(labels, ", ")));
    } else {
      row.class_id = classes.idOf(*labels.begin());
      result.table.rows.push_back(std::move(row));
    }
  }
  addNote(result.notes, "images without a tag, not labelled", std::move(unlabelled));
  addNote(result.notes, "images with several tags, left out", std::move(ambiguous));
  addNote(result.notes, "images without a name, left out", std::move(nameless));
  addNote(result.notes, "attributes of tags, left out", attributes);
  return result;
}

Expected<LabelImport> readCvat(const std::string& path, const LabelImportOptions& /*options*/,
                               RunContext& context) {
  pugi::xml_document document;
  if (Status loaded = loadCvat(path, document); !loaded) {
    return failWith(loaded);
  }
  return importsOfCvat(document.child("annotations"), context);
}

LabelMatch recogniseCvat(const LabelPlace& place) {
  return firstCharacter(place.head) == '<' && place.head.find("<annotations") != std::string::npos
             ? LabelMatch::kCertain
             : LabelMatch::kNone;
}

}  // namespace

LabelFormat cvatLabels() {
  return {.key = "cvat",
          .name = "CVAT",
          .ending = ".xml",
          .summary = "CVAT for images 1.1 with a tag per image",
          .keeps = {LabelPart::kPaths, LabelPart::kClasses, LabelPart::kOrigins,
                    LabelPart::kUnusedClasses},
          .shapes = LabelShapes::kWrittenBack,
          .read = readCvat,
          .write = writeCvat,
          .recognise = recogniseCvat,
          .usual_file = "annotations.xml"};
}

}  // namespace dubito
