// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/coco_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/base/json_text.h"
#include "core/io/atomic_file.h"
#include "core/io/item_lines.h"
#include "core/review/formats/image_extent.h"
#include "core/review/formats/parsed_json.h"
#include "core/review/formats/place_head.h"
#include "core/review/formats/scores.h"
#include "core/review/formats/source_entries.h"
#include "core/review/formats/utf8_text.h"

namespace dubito {
namespace {

using nlohmann::json;

constexpr const char* kCocoId = "dubito_id";
constexpr const char* kCocoRemedy = "export the dataset as COCO again";
constexpr std::int64_t kCocoEntriesPerStep = 4096;

// --- Writing

std::string headOfCoco(const LabelTable& table) {
  json categories = json::array();
  for (const LabelClass& each : table.classes) {
    if (!each.merged_into) {
      categories.push_back({{"id", each.id}, {"name", each.name}, {"supercategory", ""}});
    }
  }
  return "{\"categories\": " + jsonText(categories, -1) + ", \"images\": [";
}

bool isEmpty(const json* value) {
  return value == nullptr || value->is_null() || value->empty();
}

/// Whether an annotation labels a whole image rather than a part of it.
bool isOfWholeImage(const json& annotation) {
  return isEmpty(memberOf(annotation, "bbox")) && isEmpty(memberOf(annotation, "segmentation")) &&
         isEmpty(memberOf(annotation, "keypoints"));
}

json cocoImage(const LabelRow& row, std::int64_t id, const std::string& images) {
  json image{{"id", id}, {"file_name", itemText(row)}};
  if (const auto extent = imageExtent((std::filesystem::path(images) / row.path).string())) {
    image["width"] = extent->width;
    image["height"] = extent->height;
  }
  if (row.item) {
    image[kCocoId] = *row.item;
  }
  return image;
}

json cocoAnnotation(const LabelRow& row, const ClassNames& names, std::int64_t id,
                    const json& image_id, const json& category_id) {
  json annotation{{"id", id}, {"image_id", image_id}, {"category_id", category_id}};
  if (const std::optional<float> probability = classProbability(row, names)) {
    annotation["score"] = *probability;
  }
  return annotation;
}

std::int64_t largestId(const json& list) {
  std::int64_t largest = 0;
  for (const json& each : list) {
    largest = std::max(largest, integerMember(each, "id").value_or(0));
  }
  return largest;
}

/// Changes the labels of whole images in a COCO file that was read; everything else stays.
class CocoRewriter {
 public:
  CocoRewriter(const LabelTable& table, const std::string& images, json& file)
      : table_(table), names_(table.classes), images_(images), file_(file) {
    for (const json& category : file["categories"]) {
      if (memberOf(category, "id") != nullptr) {
        categories_.emplace(textMember(category, "name"), category["id"]);
      }
    }
  }

  LabelExport rewrite() {
    LabelExport result;
    SourceLabels labels = labelsOfEntries(table_, entries());
    std::unordered_map<std::int64_t, std::size_t> row_of_image;
    for (std::size_t i = 0; i < labels.of_entry.size(); ++i) {
      const auto id = integerMember(file_["images"][i], "id");
      if (id && labels.of_entry[i]) {
        row_of_image.emplace(*id, *labels.of_entry[i]);
      }
    }
    const std::int64_t shapes = replaceLabels(row_of_image);
    for (const auto& [image, row] : row_of_image) {
      added_.emplace_back(image, row);
    }
    std::ranges::sort(added_);
    std::int64_t image_id = largestId(file_["images"]);
    for (const std::size_t i : labels.new_rows) {
      if (!itemText(table_.rows[i]).empty()) {
        file_["images"].push_back(cocoImage(table_.rows[i], ++image_id, images_));
        added_.emplace_back(image_id, i);
      }
    }
    std::int64_t annotation_id = largestId(file_["annotations"]);
    for (const auto& [image, row] : added_) {
      if (table_.rows[row].class_id) {
        file_["annotations"].push_back(
            cocoAnnotation(table_.rows[row], names_, ++annotation_id, image, categoryOf(row)));
      }
    }
    result.labels = static_cast<std::int64_t>(added_.size()) + unchanged_;
    addNote(result.notes, "boxes, polygons and other shapes, written back untouched", shapes);
    return result;
  }

 private:
  std::vector<LabelRow> entries() {
    std::vector<LabelRow> entries;
    for (const json& image : file_["images"]) {
      LabelRow& entry = entries.emplace_back();
      entry.path = textMember(image, "file_name");
      entry.item = integerMember(image, kCocoId);
    }
    return entries;
  }

  /// Removes the labels of whole images that `row_of_image` replaces; images whose label is the
  /// same already are taken from it. Returns the number of shapes.
  std::int64_t replaceLabels(std::unordered_map<std::int64_t, std::size_t>& row_of_image) {
    std::unordered_map<std::int64_t, std::string> names_of_categories;
    for (const json& category : file_["categories"]) {
      if (const auto id = integerMember(category, "id")) {
        names_of_categories.emplace(*id, textMember(category, "name"));
      }
    }
    std::int64_t shapes = 0;
    std::unordered_map<std::int64_t, int> labels_of;
    std::unordered_set<std::int64_t> same;
    for (const json& annotation : file_["annotations"]) {
      if (!isOfWholeImage(annotation)) {
        ++shapes;
        continue;
      }
      const auto image = integerMember(annotation, "image_id");
      const auto row = image ? row_of_image.find(*image) : row_of_image.end();
      if (row == row_of_image.end()) {
        continue;
      }
      const auto category = integerMember(annotation, "category_id");
      const auto name = category ? names_of_categories.find(*category) : names_of_categories.end();
      const std::string* const wanted = names_.of(table_.rows[row->second].class_id);
      if (++labels_of[*image] == 1 && wanted != nullptr && name != names_of_categories.end() &&
          name->second == *wanted) {
        same.insert(*image);
      } else {
        same.erase(*image);
      }
    }
    json kept = json::array();
    for (json& annotation : file_["annotations"]) {
      const auto image = integerMember(annotation, "image_id");
      const bool replaced = isOfWholeImage(annotation) && image && row_of_image.contains(*image) &&
                            !same.contains(*image);
      if (!replaced) {
        kept.push_back(std::move(annotation));
      }
    }
    file_["annotations"] = std::move(kept);
    for (const std::int64_t image : same) {
      row_of_image.erase(image);
    }
    unchanged_ = std::ssize(same);
    return shapes;
  }

  json categoryOf(std::size_t row) {
    const std::string name = names_.text(table_.rows[row].class_id);
    const auto known = categories_.find(name);
    if (known != categories_.end()) {
      return known->second;
    }
    const std::int64_t id = largestId(file_["categories"]) + 1;
    file_["categories"].push_back({{"id", id}, {"name", name}, {"supercategory", ""}});
    return categories_.emplace(name, id).first->second;
  }

  const LabelTable& table_;
  ClassNames names_;
  const std::string& images_;
  json& file_;
  std::unordered_map<std::string, json> categories_;         ///< id by name
  std::vector<std::pair<std::int64_t, std::size_t>> added_;  ///< image and row
  std::int64_t unchanged_ = 0;
};

Expected<json> readCocoFile(const std::string& path) {
  Expected<json> file = readJsonFile(path, kCocoRemedy);
  if (!file) {
    return file;
  }
  for (const char* const list : {"images", "annotations", "categories"}) {
    if (Status has_list = requireList(*file, list, path, kCocoRemedy); !has_list) {
      return failWith(has_list);
    }
  }
  return file;
}

Expected<LabelExport> rewriteCoco(const LabelTable& table, const std::string& path,
                                  const LabelExportOptions& options) {
  Expected<json> file = readCocoFile(options.from);
  if (!file) {
    return failWith(file);
  }
  LabelExport result = CocoRewriter(table, options.images, *file).rewrite();
  if (Status written = writeFileAtomically(path, jsonText(*file, -1) + '\n'); !written) {
    return failWith(written);
  }
  noteTextsNotUtf8(table, result.notes);
  return result;
}

Expected<LabelExport> writeCoco(const LabelTable& table, const std::string& path,
                                const LabelExportOptions& options, RunContext& context) {
  if (!options.from.empty()) {
    return rewriteCoco(table, path, options);
  }
  const ClassNames names(table.classes);
  LabelExport result;
  const std::vector<std::size_t> rows = namedRows(table, result.notes);
  std::vector<std::size_t> labelled;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (table.rows[rows[i]].class_id) {
      labelled.push_back(i);
    }
  }
  const auto images = static_cast<std::int64_t>(rows.size());
  const auto labels = static_cast<std::int64_t>(labelled.size());
  result.labels = images;
  const auto line = [&](std::int64_t i) {
    if (i == images) {
      return std::string("], \"annotations\": [");
    }
    if (i == images + 1 + labels) {
      return std::string("]}");
    }
    if (i < images) {
      const LabelRow& row = table.rows[rows[static_cast<std::size_t>(i)]];
      return jsonText(cocoImage(row, i + 1, options.images), -1) + (i + 1 < images ? "," : "");
    }
    const std::int64_t number = i - images - 1;
    const std::size_t position = labelled[static_cast<std::size_t>(number)];
    const LabelRow& row = table.rows[rows[position]];
    return jsonText(
               cocoAnnotation(row, names, number + 1, position + 1, names.merged(*row.class_id)),
               -1) +
           (number + 1 < labels ? "," : "");
  };
  if (Status written = writeItemLines(path, headOfCoco(table), images + labels + 2, line, context);
      !written) {
    return failWith(written);
  }
  noteTextsNotUtf8(table, result.notes);
  return result;
}

// --- Reading

/// Reads the lists of one file.
class CocoReader {
 public:
  explicit CocoReader(const json& file)
      : categories_(listMember(file, "categories")),
        images_(listMember(file, "images")),
        annotations_(listMember(file, "annotations")),
        classes_(result_.table.classes) {}

  Expected<LabelImport> read(RunContext& context) {
    readCategories();
    readImages();
    std::unordered_set<std::int64_t> labelled;
    const auto total = static_cast<std::int64_t>(annotations_.size());
    for (std::int64_t i = 0; i < total; ++i) {
      if (i % kCocoEntriesPerStep == 0 && context.step("reading", i, total) == Step::kCancel) {
        return cancelled();
      }
      if (const auto image = addAnnotation(annotations_[static_cast<std::size_t>(i)], i)) {
        labelled.insert(*image);
      }
    }
    std::vector<std::string> unlabelled;
    for (const json& image : images_) {
      const auto id = integerMember(image, "id");
      if (id && image_of_.contains(*id) && !labelled.contains(*id)) {
        unlabelled.push_back(itemText(image_of_.at(*id)));
      }
    }
    addNote(result_.notes, "images without a category of the whole image", std::move(unlabelled));
    addNote(result_.notes, "annotations of categories that are not listed, left out",
            std::move(unknown_));
    addNote(result_.notes, "annotations of images that are not listed, left out",
            std::move(homeless_));
    addNote(result_.notes, "images without an id or a file name, left out", std::move(nameless_));
    return std::move(result_);
  }

 private:
  void readCategories() {
    for (const json& category : categories_) {
      const auto id = integerMember(category, "id");
      const std::string name = textMember(category, "name");
      if (id && !name.empty()) {
        class_of_.emplace(*id, classes_.idOf(name));
      }
    }
  }

  void readImages() {
    for (std::size_t i = 0; i < images_.size(); ++i) {
      const auto id = integerMember(images_[i], "id");
      LabelRow row;
      row.path = textMember(images_[i], "file_name");
      row.item = integerMember(images_[i], kCocoId);
      if (!id || (row.path.empty() && !row.item)) {
        nameless_.push_back(fmt::format("image {}", i + 1));
      } else {
        image_of_.emplace(*id, std::move(row));
      }
    }
  }

  /// The id of the image that got a label.
  std::optional<std::int64_t> addAnnotation(const json& annotation, std::int64_t position) {
    if (!isOfWholeImage(annotation)) {
      ++result_.shapes;
      return std::nullopt;
    }
    const auto image_id = integerMember(annotation, "image_id");
    const auto category = integerMember(annotation, "category_id");
    const auto image = image_id ? image_of_.find(*image_id) : image_of_.end();
    if (image == image_of_.end()) {
      homeless_.push_back(fmt::format("annotation {}", position + 1));
      return std::nullopt;
    }
    const auto found = category ? class_of_.find(*category) : class_of_.end();
    if (found == class_of_.end()) {
      unknown_.push_back(fmt::format("{}: category {}", itemText(image->second),
                                     category ? fmt::format("{}", *category) : "missing"));
      return std::nullopt;
    }
    LabelRow row = image->second;
    row.class_id = found->second;
    const auto score = numberMember(annotation, "score");
    row.probability = score ? possibleScore(*score) : std::nullopt;
    result_.table.rows.push_back(std::move(row));
    return image_id;
  }

  const json& categories_;
  const json& images_;
  const json& annotations_;
  LabelImport result_;
  ClassIds classes_;
  std::unordered_map<std::int64_t, std::int64_t> class_of_;  ///< by id of the category
  std::unordered_map<std::int64_t, LabelRow> image_of_;      ///< by id of the image
  std::vector<std::string> unknown_, homeless_, nameless_;
};

Expected<LabelImport> readCoco(const std::string& path, const LabelImportOptions& /*options*/,
                               RunContext& context) {
  const Expected<json> file = readCocoFile(path);
  return file ? CocoReader(*file).read(context) : failWith(file);
}

LabelMatch recogniseCoco(const LabelPlace& place) {
  const auto has = [&](const char* key) { return hasJsonKey(place.head, key); };
  return firstCharacter(place.head) == '{' && !has("samples") &&
                 (has("images") || has("categories"))
             ? LabelMatch::kCertain
             : LabelMatch::kNone;
}

}  // namespace

LabelFormat cocoLabels() {
  return {.key = "coco",
          .name = "COCO",
          .ending = ".json",
          .summary = "images, categories and annotations without boxes",
          .keeps = {LabelPart::kItemIds, LabelPart::kPaths, LabelPart::kClasses,
                    LabelPart::kProbabilities, LabelPart::kUnusedClasses},
          .shapes = LabelShapes::kWrittenBack,
          .read = readCoco,
          .write = writeCoco,
          .recognise = recogniseCoco,
          .usual_file = "_annotations.coco.json"};
}

}  // namespace dubito
