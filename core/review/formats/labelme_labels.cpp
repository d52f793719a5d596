// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/labelme_labels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/base/json_text.h"
#include "core/base/lower_case.h"
#include "core/review/formats/file_names.h"
#include "core/review/formats/image_extent.h"
#include "core/review/formats/listed_files.h"
#include "core/review/formats/new_folder.h"
#include "core/review/formats/parsed_json.h"
#include "core/review/formats/place_head.h"
#include "core/review/formats/source_entries.h"
#include "core/review/formats/utf8_text.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// labelme keeps members that it does not know.
constexpr const char* kLabelmeId = "dubito_id";
constexpr const char* kLabelmePath = "dubito_path";
/// A flag of labelme's examples for images to leave out; never a class.
constexpr const char* kIgnoreFlag = "__ignore__";
constexpr const char* kLabelmeRemedy = "save the image in labelme again, or remove the file";
constexpr std::int64_t kLabelmeFilesPerStep = 64;

// --- Writing

/// "sub/0001.json" for "sub/0001.png", as labelme looks for it; "sub/0001.png.json" if that is
/// taken by another image.
std::string labelmeFileOf(const std::string& path, std::set<std::string>& taken,
                          std::vector<std::string>& renamed) {
  const std::string contained = containedPath(path);
  std::string file = fs::path(contained).replace_extension(".json").string();
  if (!taken.insert(file).second) {
    file = contained + ".json";
    for (int i = 2; !taken.insert(file).second; ++i) {
      file = fmt::format("{}.{}.json", contained, i);
    }
    renamed.push_back(file);
  }
  return file;
}

/// The image as seen from the label file; its name alone if the folder of the images is unknown.
std::string labelmeImagePath(const LabelRow& row, const fs::path& file, const std::string& images) {
  if (images.empty()) {
    return fs::path(itemText(row)).filename().string();
  }
  const fs::path image = fs::absolute(fs::path(images) / row.path).lexically_normal();
  return image.lexically_relative(fs::absolute(file).lexically_normal().parent_path()).string();
}

/// Makes the class of `row` the only flag that is true; every class of the table gets one.
void setFlags(const LabelRow& row, const LabelTable& table, const ClassNames& names, json& flags) {
  for (auto& [name, value] : flags.items()) {
    value = name == kIgnoreFlag ? value : json(false);
  }
  const std::string* const chosen = names.of(row.class_id);
  for (const LabelClass& each : table.classes) {
    if (!each.merged_into) {
      flags[each.name] = chosen != nullptr && *chosen == each.name;
    }
  }
}

json labelmeJson(const LabelRow& row, const LabelTable& table, const ClassNames& names,
                 const std::string& image_path, const std::string& images) {
  json flags = json::object();
  setFlags(row, table, names, flags);
  const auto extent = imageExtent((fs::path(images) / row.path).string());
  json object{{"version", "5.5.0"},
              {"flags", std::move(flags)},
              {"shapes", json::array()},
              {"imagePath", image_path},
              {"imageData", nullptr},
              {"imageHeight", extent ? json(extent->height) : json(nullptr)},
              {"imageWidth", extent ? json(extent->width) : json(nullptr)}};
  if (row.item) {
    object[kLabelmeId] = *row.item;
  }
  if (!row.path.empty()) {
    object[kLabelmePath] = row.path;
  }
  return object;
}

bool hasJsonEnding(const std::string& file) {
  return lowerCaseEnding(file) == ".json";
}

bool isLabelme(const json& object) {
  return object.is_object() && (object.contains("flags") || object.contains("imagePath"));
}

/// The path of the image relative to the folder of the label files, if possible. labelme for
/// Windows writes backslashes. `file` is relative to the same folder.
std::string labelmePathOf(const json& object, const std::string& file) {
  if (std::string path = textMember(object, kLabelmePath); !path.empty()) {
    return path;
  }
  std::string image = textMember(object, "imagePath");
  std::ranges::replace(image, '\\', '/');
  if (image.empty()) {
    return fs::path(file).replace_extension().generic_string();
  }
  const bool absolute = image.front() == '/' || (image.size() > 1 && image[1] == ':');
  return absolute ? image
                  : (fs::path(file).parent_path() / image).lexically_normal().generic_string();
}

/// The label files of a folder, or a single one. Paths are relative to `folder`.
struct LabelmeFiles {
  std::string folder;
  std::vector<std::string> files;
};

Expected<LabelmeFiles> labelmeFilesIn(const std::string& path, RunContext& context) {
  std::error_code error;
  if (fs::is_regular_file(path, error)) {
    return LabelmeFiles{fs::path(path).parent_path().string(),
                        {fs::path(path).filename().string()}};
  }
  Expected<ListedFiles> listed = listFiles(path, context);
  if (!listed) {
    return failWith(listed);
  }
  std::erase_if(listed->files, [](const std::string& file) { return !hasJsonEnding(file); });
  return LabelmeFiles{path, std::move(listed->files)};
}

/// `image` of a label file in the folder `before`, as seen from one in `after`.
std::string movedImagePath(std::string image, const fs::path& before, const fs::path& after) {
  std::ranges::replace(image, '\\', '/');
  const bool absolute =
      image.empty() || image.front() == '/' || (image.size() > 1 && image[1] == ':');
  return absolute ? image
                  : fs::absolute(before / image)
                        .lexically_normal()
                        .lexically_relative(fs::absolute(after).lexically_normal())
                        .string();
}

/// Writes the label files of `from` with the labels of the table into `folder`, and nothing else
/// of them changed. `taken` and `new_rows` say what remains to be written.
Status rewriteLabelme(const LabelTable& table, const std::string& path, const std::string& from,
                      const NewFolder& folder, std::set<std::string>& taken,
                      std::vector<std::size_t>& new_rows, LabelExport& result,
                      RunContext& context) {
  const Expected<LabelmeFiles> source = labelmeFilesIn(from, context);
  if (!source) {
    return failWith(source);
  }
  std::vector<std::string> files;
  std::vector<LabelRow> entries;
  const auto total = static_cast<std::int64_t>(2 * source->files.size());
  std::int64_t done = 0;
  const auto read = [&](const std::string& file, const char* skipped) {
    return readJsonFile((fs::path(source->folder) / file).string(), kLabelmeRemedy, skipped);
  };
  for (const std::string& file : source->files) {
    if (context.step("reading", done++, total) == Step::kCancel) {
      return cancelled();
    }
    const Expected<json> object = read(file, "imageData");
    if (!object) {
      return failWith(object);
    }
    if (isLabelme(*object)) {
      LabelRow& entry = entries.emplace_back();
      entry.item = integerMember(*object, kLabelmeId);
      entry.path = labelmePathOf(*object, file);
      files.push_back(file);
    }
  }
  SourceLabels labels = labelsOfEntries(table, std::move(entries));
  new_rows = std::move(labels.new_rows);
  const ClassNames names(table.classes);
  std::int64_t shapes = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (context.step("writing", done++, total) == Step::kCancel) {
      return cancelled();
    }
    Expected<json> object = read(files[i], "");
    if (!object) {
      return failWith(object);
    }
    shapes += std::ssize(listMember(*object, "shapes"));
    if (labels.of_entry[i]) {
      json& flags = (*object)["flags"];
      flags = flags.is_object() ? flags : json::object();
      setFlags(table.rows[*labels.of_entry[i]], table, names, flags);
      ++result.labels;
    }
    const fs::path file(files[i]);
    (*object)["imagePath"] = movedImagePath(textMember(*object, "imagePath"),
                                            fs::path(source->folder) / file.parent_path(),
                                            fs::path(path) / file.parent_path());
    if (Status added = folder.addFile(files[i], jsonText(*object, 2) + '\n'); !added) {
      return added;
    }
    taken.insert(files[i]);
  }
  addNote(result.notes, "boxes, polygons and other shapes, written back untouched", shapes);
  return {};
}

Expected<LabelExport> writeLabelme(const LabelTable& table, const std::string& path,
                                   const LabelExportOptions& options, RunContext& context) {
  Expected<NewFolder> folder = NewFolder::create(path);
  if (!folder) {
    return failWith(folder);
  }
  const ClassNames names(table.classes);
  std::vector<std::size_t> rows = presentRows(table);
  std::set<std::string> taken;
  std::vector<std::string> renamed;
  std::int64_t nameless = 0;
  LabelExport result;
  if (!options.from.empty()) {
    if (Status done =
            rewriteLabelme(table, path, options.from, *folder, taken, rows, result, context);
        !done) {
      return failWith(done);
    }
  }
  for (const std::size_t i : rows) {
    const LabelRow& row = table.rows[i];
    if (result.labels % kLabelmeFilesPerStep == 0 &&
        context.step("writing", result.labels, static_cast<std::int64_t>(rows.size())) ==
            Step::kCancel) {
      return cancelled();
    }
    if (itemText(row).empty()) {
      ++nameless;
      continue;
    }
    const std::string file = labelmeFileOf(itemText(row), taken, renamed);
    const std::string image = labelmeImagePath(row, fs::path(path) / file, options.images);
    if (Status added = folder->addFile(
            file, jsonText(labelmeJson(row, table, names, image, options.images), 2) + '\n');
        !added) {
      return failWith(added);
    }
    ++result.labels;
  }
  if (Status committed = folder->commit(); !committed) {
    return failWith(committed);
  }
  addNote(result.notes, "labels without a path and an id, left out", nameless);
  addNote(result.notes,
          "label files that labelme will not find, because two images differ only in the ending",
          std::move(renamed));
  noteTextsNotUtf8(table, result.notes);
  return result;
}

// --- Reading

/// Reads label files one by one.
class LabelmeReader {
 public:
  LabelmeReader() : classes_(result_.table.classes) {}

  /// `file` is relative to the folder of the import. An error means that the file is not readable.
  Status add(const std::string& path, const std::string& file) {
    const Expected<json> object = readJsonFile(path, kLabelmeRemedy, "imageData");
    if (!object) {
      return failWith(object);
    }
    if (!isLabelme(*object)) {
      foreign_.push_back(file);
      return {};
    }
    const json* const flags = memberOf(*object, "flags");
    if (flags != nullptr && !flags->is_object() && !flags->is_null()) {
      return fail(ErrorCode::kMalformed, fmt::format("{}: 'flags' is {}, not an object; {}", path,
                                                     flags->type_name(), kLabelmeRemedy));
    }
    if (const json* const shapes = memberOf(*object, "shapes")) {
      result_.shapes += shapes->is_array() ? static_cast<std::int64_t>(shapes->size()) : 0;
    }
    return addLabel(*object, flags, path, file);
  }

  /// Notes a file that could not be read; the message begins with its path.
  void addUnreadable(const std::string& path, const std::string& file, const Error& error) {
    const bool begins = error.message.starts_with(path);
    unreadable_.push_back(begins ? file + error.message.substr(path.size()) : error.message);
    first_error_ = first_error_.empty() ? error.message : first_error_;
  }

  [[nodiscard]] bool hasEntries() const { return entries_ > 0; }
  /// About the first unreadable file, or empty.
  [[nodiscard]] const std::string& firstError() const { return first_error_; }

  LabelImport finish() {
    addNote(result_.notes, "images without a flag that is true, not labelled",
            std::move(unlabelled_));
    addNote(result_.notes, "images with several flags that are true, left out",
            std::move(ambiguous_));
    addNote(result_.notes, "images marked __ignore__, left out", std::move(ignored_));
    addNote(result_.notes, "label files that could not be read", std::move(unreadable_));
    addNote(result_.notes, "JSON files that are not of labelme, left out", std::move(foreign_));
    return std::move(result_);
  }

 private:
  Status addLabel(const json& object, const json* flags, const std::string& path,
                  const std::string& file) {
    std::vector<std::string> chosen;
    bool ignored = false;
    const json none = json::object();
    const json& entries = flags == nullptr || flags->is_null() ? none : *flags;
    for (const auto& [name, value] : entries.items()) {
      if (!value.is_boolean()) {
        return fail(
            ErrorCode::kMalformed,
            fmt::format("{}: the flag {} is {}, not true or false; {}", path, inQuotes(name),
                        jsonExcerpt(value.is_structured() ? json("...") : value), kLabelmeRemedy));
      }
      if (name == kIgnoreFlag) {
        ignored = value.get<bool>();
        continue;
      }
      classes_.idOf(name);
      if (value.get<bool>()) {
        chosen.push_back(name);
      }
    }
    ++entries_;
    LabelRow row;
    row.item = integerMember(object, kLabelmeId);
    row.path = labelmePathOf(object, file);
    if (ignored) {
      ignored_.push_back(row.path);
    } else if (chosen.empty()) {
      unlabelled_.push_back(row.path);
    } else if (chosen.size() > 1) {
      ambiguous_.push_back(fmt::format("{}: {}", row.path, fmt::join(chosen, ", ")));
    } else {
      row.class_id = classes_.idOf(chosen.front());
      result_.table.rows.push_back(std::move(row));
    }
    return {};
  }

  LabelImport result_;
  ClassIds classes_;
  std::string first_error_;
  std::int64_t entries_ = 0;
  std::vector<std::string> unlabelled_, ambiguous_, ignored_, unreadable_, foreign_;
};

Expected<LabelImport> readLabelme(const std::string& path, const LabelImportOptions& /*options*/,
                                  RunContext& context) {
  LabelmeReader reader;
  std::error_code error;
  if (fs::is_regular_file(path, error)) {
    if (Status added = reader.add(path, fs::path(path).filename().string()); !added) {
      return failWith(added);
    }
    return reader.finish();
  }
  const Expected<LabelmeFiles> listed = labelmeFilesIn(path, context);
  if (!listed) {
    return failWith(listed);
  }
  const auto total = static_cast<std::int64_t>(listed->files.size());
  for (std::int64_t i = 0; i < total; ++i) {
    if (context.step("reading", i, total) == Step::kCancel) {
      return cancelled();
    }
    const std::string& file = listed->files[static_cast<std::size_t>(i)];
    const std::string full_path = (fs::path(path) / file).string();
    if (const Status added = reader.add(full_path, file); !added) {
      reader.addUnreadable(full_path, file, added.error());
    }
  }
  if (!reader.hasEntries() && !reader.firstError().empty()) {
    return fail(ErrorCode::kMalformed, reader.firstError());
  }
  return reader.finish();
}

/// Whether a file with this beginning is one of labelme.
bool beginsLikeLabelme(std::string_view head) {
  return firstCharacter(head) == '{' && (hasJsonKey(head, "imagePath") ||
                                         (hasJsonKey(head, "flags") && hasJsonKey(head, "shapes")));
}

LabelMatch recogniseLabelme(const LabelPlace& place) {
  if (!place.is_folder) {
    return beginsLikeLabelme(place.head) ? LabelMatch::kCertain : LabelMatch::kNone;
  }
  const auto first = std::ranges::find_if(place.files, hasJsonEnding);
  if (first == place.files.end()) {
    return LabelMatch::kNone;
  }
  return beginsLikeLabelme(headOfFile((fs::path(place.path) / *first).string()))
             ? LabelMatch::kCertain
             : LabelMatch::kNone;
}

}  // namespace

LabelFormat labelmeLabels() {
  return {.key = "labelme",
          .name = "labelme",
          .ending = "",
          .summary = "a JSON file per image with the classes as flags",
          .keeps = {LabelPart::kItemIds, LabelPart::kPaths, LabelPart::kClasses,
                    LabelPart::kUnusedClasses},
          .shapes = LabelShapes::kWrittenBack,
          .read = readLabelme,
          .write = writeLabelme,
          .recognise = recogniseLabelme};
}

}  // namespace dubito
