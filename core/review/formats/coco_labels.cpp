// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/coco_labels.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/base/json_text.h"
#include "core/io/item_lines.h"
#include "core/review/formats/parsed_json.h"
#include "core/review/formats/place_head.h"
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

Expected<LabelExport> writeCoco(const LabelTable& table, const std::string& path,
                                const LabelExportOptions& /*options*/, RunContext& context) {
  const ClassNames names(table.classes);
  std::vector<std::size_t> rows = presentRows(table);
  LabelExport result;
  const auto nameless =
      std::erase_if(rows, [&table](std::size_t i) { return itemText(table.rows[i]).empty(); });
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
      json image{{"id", i + 1}, {"file_name", itemText(row)}};
      if (row.item) {
        image[kCocoId] = *row.item;
      }
      return jsonText(image, -1) + (i + 1 < images ? "," : "");
    }
    const std::int64_t number = i - images - 1;
    const std::size_t position = labelled[static_cast<std::size_t>(number)];
    const LabelRow& row = table.rows[rows[position]];
    json annotation{{"id", number + 1},
                    {"image_id", position + 1},
                    {"category_id", names.merged(*row.class_id)}};
    if (const std::optional<float> probability = classProbability(row, names)) {
      annotation["score"] = *probability;
    }
    return jsonText(annotation, -1) + (number + 1 < labels ? "," : "");
  };
  if (Status written = writeItemLines(path, headOfCoco(table), images + labels + 2, line, context);
      !written) {
    return failWith(written);
  }
  addNote(result.notes, "labels without a path and an id, left out",
          static_cast<std::int64_t>(nameless));
  noteTextsNotUtf8(table, result.notes);
  return result;
}

// --- Reading

bool isEmpty(const json* value) {
  return value == nullptr || value->is_null() || value->empty();
}

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
    addNote(result_.notes, "objects, which are not labels of whole images, left out", objects_);
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
    if (!isEmpty(memberOf(annotation, "bbox")) || !isEmpty(memberOf(annotation, "segmentation"))) {
      ++objects_;
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
    if (score && *score >= 0.0 && *score <= 1.0) {
      row.probability = static_cast<float>(*score);
    }
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
  std::int64_t objects_ = 0;
  std::vector<std::string> unknown_, homeless_, nameless_;
};

Expected<LabelImport> readCoco(const std::string& path, const LabelImportOptions& /*options*/,
                               RunContext& context) {
  const Expected<json> file = readJsonFile(path, kCocoRemedy);
  if (!file) {
    return failWith(file);
  }
  for (const char* const list : {"images", "annotations", "categories"}) {
    if (Status has_list = requireList(*file, list, path, kCocoRemedy); !has_list) {
      return failWith(has_list);
    }
  }
  return CocoReader(*file).read(context);
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
          .read = readCoco,
          .write = writeCoco,
          .recognise = recogniseCoco,
          .usual_file = "_annotations.coco.json"};
}

}  // namespace dubito
