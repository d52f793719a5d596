// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/cvat_labels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <pugixml.hpp>
#include <set>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/io/atomic_file.h"
#include "core/io/mapped_file.h"
#include "core/review/formats/parsed_json.h"
#include "core/review/formats/place_head.h"
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

void appendCvatMeta(pugi::xml_node root, const LabelTable& table, std::size_t images) {
  appendTextNode(root, "version", "1.1");
  pugi::xml_node task = root.append_child("meta").append_child("task");
  appendTextNode(task, "name", "labels");
  appendTextNode(task, "size", fmt::format("{}", images));
  appendTextNode(task, "mode", "annotation");
  pugi::xml_node labels = task.append_child("labels");
  for (const LabelClass& each : table.classes) {
    if (!each.merged_into) {
      pugi::xml_node label = labels.append_child("label");
      appendTextNode(label, "name", xmlText(each.name));
      appendTextNode(label, "type", "tag");
      label.append_child("attributes");
    }
  }
}

/// Passes what pugixml writes to an AtomicFile.
class AtomicXmlWriter : public pugi::xml_writer {
 public:
  explicit AtomicXmlWriter(AtomicFile& file) : file_(file) {}

  void write(const void* data, size_t size) override {
    if (status) {
      status = file_.write(std::string_view(static_cast<const char*>(data), size));
    }
  }

  Status status;

 private:
  AtomicFile& file_;
};

Expected<LabelExport> writeCvat(const LabelTable& table, const std::string& path,
                                const LabelExportOptions& /*options*/, RunContext& context) {
  const ClassNames names(table.classes);
  std::vector<std::size_t> rows = presentRows(table);
  const auto nameless =
      std::erase_if(rows, [&table](std::size_t i) { return itemText(table.rows[i]).empty(); });
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "utf-8";
  pugi::xml_node root = document.append_child("annotations");
  appendCvatMeta(root, table, rows.size());
  LabelExport result;
  for (const std::size_t i : rows) {
    if (result.labels % kCvatImagesPerStep == 0 &&
        context.step("writing", result.labels, static_cast<std::int64_t>(rows.size())) ==
            Step::kCancel) {
      return cancelled();
    }
    const LabelRow& row = table.rows[i];
    pugi::xml_node image = root.append_child("image");
    image.append_attribute("id") = static_cast<long long>(result.labels++);
    image.append_attribute("name") = xmlText(itemText(row)).c_str();
    if (const std::string* const name = names.of(row.class_id)) {
      pugi::xml_node tag = image.append_child("tag");
      tag.append_attribute("label") = xmlText(*name).c_str();
      if (row.origin) {
        tag.append_attribute("source") = cvatSource(*row.origin);
      }
    }
  }
  Expected<AtomicFile> file = AtomicFile::create(path);
  if (!file) {
    return failWith(file);
  }
  AtomicXmlWriter writer(*file);
  document.save(writer, "  ");
  if (!writer.status) {
    return failWith(writer.status);
  }
  if (Status committed = file->commit(); !committed) {
    return failWith(committed);
  }
  addNote(result.notes, "labels without a path and an id, left out",
          static_cast<std::int64_t>(nameless));
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
  std::int64_t shapes = 0;
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
      if (std::string_view(child.name()) != "tag") {
        ++shapes;
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
  addNote(result.notes, "shapes, which are not labels of whole images, left out", shapes);
  addNote(result.notes, "attributes of tags, left out", attributes);
  return result;
}

Expected<LabelImport> readCvat(const std::string& path, const LabelImportOptions& /*options*/,
                               RunContext& context) {
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
  pugi::xml_document document;
  const pugi::xml_parse_result parsed = document.load_buffer(bytes.data(), bytes.size());
  if (const Status unchanged = (*file)->unchanged(); !unchanged) {
    return failWith(unchanged);
  }
  if (!parsed) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: {}: {}; {}", path,
                            lineAndColumn(text, static_cast<std::size_t>(
                                                    std::max<std::ptrdiff_t>(parsed.offset, 0))),
                            parsed.description(), kCvatRemedy));
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
  return importsOfCvat(root, context);
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
          .read = readCvat,
          .write = writeCvat,
          .recognise = recogniseCvat,
          .usual_file = "annotations.xml"};
}

}  // namespace dubito
