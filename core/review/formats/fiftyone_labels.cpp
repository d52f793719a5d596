// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/fiftyone_labels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/base/json_text.h"
#include "core/io/atomic_file.h"
#include "core/io/item_lines.h"
#include "core/review/formats/parsed_json.h"
#include "core/review/formats/place_head.h"
#include "core/review/formats/scores.h"
#include "core/review/formats/source_entries.h"
#include "core/review/formats/utc_time.h"
#include "core/review/formats/utf8_text.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kFiftyOneId = "dubito_id";
constexpr const char* kFiftyOnePath = "dubito_path";
constexpr const char* kTruthField = "ground_truth";
constexpr const char* kFiftyOneRemedy = "export the dataset as FiftyOneDataset again";
constexpr std::int64_t kSamplesPerStep = 4096;

// --- Samples

/// The item and the path of the image of a sample.
LabelRow imageOf(const json& sample) {
  LabelRow row;
  row.item = integerMember(sample, kFiftyOneId);
  row.path = textMember(sample, kFiftyOnePath);
  if (row.path.empty()) {
    row.path = textMember(sample, "filepath");
    std::ranges::replace(row.path, '\\', '/');
  }
  return row;
}

/// Files that were edited by hand often lack "_cls".
bool isClassification(const json& value) {
  const std::string type = textMember(value, "_cls");
  return type == "Classification" || type == "Classifications" ||
         (memberOf(value, "_cls") == nullptr && memberOf(value, "label") != nullptr);
}

/// The number of boxes, polylines and keypoints in a value.
std::int64_t shapesOf(const json& value) {
  const std::string type = textMember(value, "_cls");
  for (const auto& [plural, list] :
       {std::pair{"Detections", "detections"}, std::pair{"Polylines", "polylines"},
        std::pair{"Keypoints", "keypoints"}}) {
    if (type == plural) {
      return std::ssize(listMember(value, list));
    }
  }
  return type == "Detection" || type == "Polyline" || type == "Keypoint" ||
                 type == "Segmentation" || type == "Heatmap"
             ? 1
             : 0;
}

std::int64_t shapesOfSample(const json& sample) {
  std::int64_t shapes = 0;
  for (const json& each : sample.is_object() ? sample : json::object()) {
    shapes += shapesOf(each);
  }
  return shapes;
}

/// Names of the fields with classifications in any sample.
std::set<std::string> classificationFields(const json& samples) {
  std::set<std::string> fields;
  for (const json& sample : samples) {
    if (!sample.is_object()) {
      continue;
    }
    for (const auto& [name, value] : sample.items()) {
      if (isClassification(value)) {
        fields.insert(name);
      }
    }
  }
  return fields;
}

Expected<std::string> chooseField(const json& samples, const std::string& wanted,
                                  const std::string& path) {
  const std::set<std::string> fields = classificationFields(samples);
  const std::string preferred = wanted.empty() ? kTruthField : wanted;
  if (fields.contains(preferred) || fields.empty()) {
    return preferred;
  }
  if (wanted.empty() && fields.size() == 1) {
    return *fields.begin();
  }
  return fail(
      ErrorCode::kInvalidArgument,
      fmt::format("{}: has classifications in {}, but not in {}; set the field to one of "
                  "them",
                  path, inQuotes(fmt::format("{}", fmt::join(fields, ", "))), inQuotes(preferred)));
}

std::string fileOfSamples(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error) ? (fs::path(path) / "samples.json").string() : path;
}

Expected<json> readSamples(const std::string& file) {
  Expected<json> dataset = readJsonFile(file, kFiftyOneRemedy);
  if (!dataset) {
    return dataset;
  }
  if (Status has_list = requireList(*dataset, "samples", file, kFiftyOneRemedy); !has_list) {
    return failWith(has_list);
  }
  return dataset;
}

// --- Writing

/// A Classification; members that FiftyOne does not know become attributes of the label.
json fiftyOneLabel(const LabelRow& row, const ClassNames& names) {
  const std::string* const name = names.of(row.class_id);
  if (name == nullptr) {
    return nullptr;
  }
  json label{{"_cls", "Classification"}, {"tags", json::array()}, {"label", *name}};
  const std::optional<float> probability = classProbability(row, names);
  label["confidence"] = probability ? json(*probability) : json(nullptr);
  const auto put = [&label](const char* key, const std::string& text) {
    if (!text.empty()) {
      label[key] = text;
    }
  };
  put("action", row.action ? std::string(keyOf(*row.action)) : "");
  put("annotator", row.annotator);
  put("time", row.time_ms == 0 ? "" : utcText(row.time_ms));
  put("origin", row.origin ? std::string(keyOf(*row.origin)) : "");
  if (row.previous_class) {
    label["previous_label"] = names.text(row.previous_class);
  }
  put("previous_origin", row.previous_origin ? std::string(keyOf(*row.previous_origin)) : "");
  return label;
}

json fiftyOneSample(const LabelRow& row, const ClassNames& names, const std::string& field,
                    const std::string& images) {
  const fs::path image = fs::path(images) / itemText(row);
  json sample{{"filepath", images.empty() ? image.string() : fs::absolute(image).string()},
              {"tags", json::array()},
              {"metadata", nullptr},
              {field, fiftyOneLabel(row, names)}};
  if (row.item) {
    sample[kFiftyOneId] = *row.item;
  }
  if (!row.path.empty()) {
    sample[kFiftyOnePath] = row.path;
  }
  return sample;
}

/// The samples of options.from with the labels of the table; detections and all else stay.
Expected<LabelExport> rewriteFiftyOne(const LabelTable& table, const std::string& path,
                                      const LabelExportOptions& options) {
  const std::string file = fileOfSamples(options.from);
  Expected<json> dataset = readSamples(file);
  if (!dataset) {
    return failWith(dataset);
  }
  json& samples = (*dataset)["samples"];
  const Expected<std::string> field = chooseField(samples, options.from_field, file);
  if (!field) {
    return failWith(field);
  }
  LabelExport result;
  std::int64_t shapes = 0;
  std::vector<LabelRow> entries;
  for (const json& sample : samples) {
    entries.push_back(imageOf(sample));
    shapes += shapesOfSample(sample);
  }
  const SourceLabels labels = labelsOfEntries(table, std::move(entries));
  const ClassNames names(table.classes);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!labels.of_entry[i] || !samples[i].is_object()) {
      continue;
    }
    ++result.labels;
    const LabelRow& row = table.rows[*labels.of_entry[i]];
    json& before = samples[i][*field];
    if (const std::string* const name = names.of(row.class_id);
        name != nullptr && textMember(before, "_cls") != "Classifications" &&
        textMember(before, "label") == *name) {
      continue;  // as it was, with its attributes
    }
    json label = fiftyOneLabel(row, names);
    for (const char* const kept : {"_id", "tags"}) {
      if (const json* const value = memberOf(before, kept); value != nullptr && label.is_object()) {
        label[kept] = *value;
      }
    }
    before = std::move(label);
  }
  for (const std::size_t i : labels.new_rows) {
    if (!itemText(table.rows[i]).empty()) {
      samples.push_back(fiftyOneSample(table.rows[i], names, *field, options.images));
      ++result.labels;
    }
  }
  if (Status written = writeFileAtomically(path, jsonText(*dataset, -1)); !written) {
    return failWith(written);
  }
  addNote(result.notes, "boxes, polygons and other shapes, written back untouched", shapes);
  noteTextsNotUtf8(table, result.notes);
  return result;
}

Expected<LabelExport> writeFiftyOne(const LabelTable& table, const std::string& path,
                                    const LabelExportOptions& options, RunContext& context) {
  if (!options.from.empty()) {
    return rewriteFiftyOne(table, path, options);
  }
  const ClassNames names(table.classes);
  LabelExport result;
  const std::vector<std::size_t> rows = namedRows(table, result.notes);
  result.labels = static_cast<std::int64_t>(rows.size());
  const auto line = [&](std::int64_t i) {
    if (i == result.labels) {
      return std::string("]}");
    }
    const LabelRow& row = table.rows[rows[static_cast<std::size_t>(i)]];
    return jsonText(fiftyOneSample(row, names, kTruthField, options.images), -1) +
           (i + 1 < result.labels ? "," : "");
  };
  // Files of FiftyOne have the name in their metadata.json; a single file needs one.
  const std::string head =
      "{\"name\": " + jsonText(fs::path(path).stem().string(), -1) + ", \"samples\": [";
  if (Status written = writeItemLines(path, head, result.labels + 1, line, context); !written) {
    return failWith(written);
  }
  noteTextsNotUtf8(table, result.notes);
  return result;
}

// --- Reading

/// Names of the classes of a field, in the order of its logits, from the dataset; empty if unknown.
std::vector<std::string> listedClasses(const json& dataset, const std::string& field) {
  std::vector<std::string> names;
  const json* const by_field = memberOf(dataset, "classes");
  const json* const info = memberOf(dataset, "info");
  for (const json* const list : {by_field == nullptr ? nullptr : memberOf(*by_field, field.c_str()),
                                 memberOf(dataset, "default_classes"), by_field,
                                 info == nullptr ? nullptr : memberOf(*info, "classes")}) {
    if (list == nullptr || !list->is_array() || !names.empty()) {
      continue;
    }
    for (const json& each : *list) {
      names.push_back(each.is_string() ? each.get<std::string>() : std::string());
    }
  }
  const std::set<std::string> distinct(names.begin(), names.end());
  return distinct.size() == names.size() && !distinct.contains("") ? names
                                                                   : std::vector<std::string>();
}

/// exp(x) / sum exp(x); empty if an entry is not a finite number.
std::vector<double> softmaxOf(const json& logits) {
  std::vector<double> values;
  for (const json& each : logits) {
    if (!each.is_number() || !std::isfinite(each.get<double>())) {
      return {};
    }
    values.push_back(each.get<double>());
  }
  const double top = values.empty() ? 0.0 : *std::ranges::max_element(values);
  double sum = 0.0;
  for (double& value : values) {
    value = std::exp(value - top);
    sum += value;
  }
  for (double& value : values) {
    value /= sum;
  }
  return values;
}

/// Reads samples one by one.
class FiftyOneReader {
 public:
  /// `scored` are the classes of the logits, or empty.
  FiftyOneReader(std::string field, std::vector<std::string> scored)
      : field_(std::move(field)), scored_(std::move(scored)), classes_(result_.table.classes) {}

  void add(const json& sample, std::size_t position) {
    LabelRow row = imageOf(sample);
    if (row.path.empty() && !row.item) {
      unreadable_.push_back(fmt::format("sample {}", position + 1));
      return;
    }
    result_.shapes += shapesOfSample(sample);
    const json* const value = memberOf(sample, field_.c_str());
    const std::vector<const json*> labels = labelsOf(value);
    std::set<std::string> names;
    for (const json* const label : labels) {
      names.insert(textMember(*label, "label"));
    }
    if (value != nullptr && !value->is_null() && !isClassification(*value)) {
      unreadable_.push_back(itemText(row));
    } else if (labels.empty()) {
      unlabelled_.push_back(itemText(row));
    } else if (names.size() > 1) {
      ambiguous_.push_back(fmt::format("{}: {}", itemText(row), fmt::join(names, ", ")));
    } else {
      addLabel(*labels.front(), std::move(row));
    }
  }

  LabelImport finish() {
    addNote(result_.notes, "samples without a label", std::move(unlabelled_));
    addNote(result_.notes, "samples with several classes, left out", std::move(ambiguous_));
    addNote(result_.notes, "samples without a filepath or with another kind of label, left out",
            std::move(unreadable_));
    addNote(result_.notes, "attributes that were not understood, taken as empty",
            std::move(attributes_));
    addNote(result_.notes,
            "logits without a list of as many classes in metadata.json, or not plain numbers, left "
            "out",
            unused_logits_);
    return std::move(result_);
  }

 private:
  /// The classifications that have a label.
  static std::vector<const json*> labelsOf(const json* value) {
    std::vector<const json*> labels;
    const auto add_label = [&labels](const json& label) {
      const json* const text = memberOf(label, "label");
      if (text != nullptr && text->is_string()) {
        labels.push_back(&label);
      }
    };
    if (value != nullptr && textMember(*value, "_cls") == "Classifications") {
      std::ranges::for_each(listMember(*value, "classifications"), add_label);
    } else if (value != nullptr) {
      add_label(*value);
    }
    return labels;
  }

  template <class Key, class OfKey>
  std::optional<Key> key(const json& label, const char* name, const LabelRow& row, OfKey of_key) {
    const std::string text = textMember(label, name);
    const std::optional<Key> value = text.empty() ? std::nullopt : of_key(text);
    if (!value && !text.empty()) {
      attributes_.push_back(fmt::format("{}: {} {}", itemText(row), name, shownText(text, 40)));
    }
    return value;
  }

  void addLabel(const json& label, LabelRow row) {
    row.class_id = classes_.idOf(textMember(label, "label"));
    const auto confidence = numberMember(label, "confidence");
    row.probability = confidence ? possibleScore(*confidence) : std::nullopt;
    addLogits(label, row);
    row.action = key<LabelAction>(label, "action", row, labelActionOfKey);
    row.origin = key<LabelOrigin>(label, "origin", row, labelOriginOfKey);
    row.previous_origin = key<LabelOrigin>(label, "previous_origin", row, labelOriginOfKey);
    row.annotator = textMember(label, "annotator");
    row.time_ms = key<std::int64_t>(label, "time", row, parseUtcText).value_or(0);
    if (const json* const previous = memberOf(label, "previous_label");
        previous != nullptr && previous->is_string()) {
      row.previous_class = classes_.idOf(previous->get_ref<const std::string&>());
    }
    result_.table.rows.push_back(std::move(row));
  }

  /// The scores of all classes, if the dataset names them.
  void addLogits(const json& label, LabelRow& row) {
    const json* const logits = memberOf(label, "logits");
    if (logits == nullptr || logits->is_null()) {
      return;
    }
    const std::vector<double> scores = logits->is_array() && logits->size() == scored_.size()
                                           ? softmaxOf(*logits)
                                           : std::vector<double>();
    unused_logits_ += scores.empty() ? 1 : 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const auto k = static_cast<std::size_t>(classes_.idOf(scored_[i]));
      row.probs.resize(std::max(row.probs.size(), k + 1), 0.0F);
      row.probs[k] = static_cast<float>(scores[i]);
    }
  }

  std::string field_;
  std::vector<std::string> scored_;
  LabelImport result_;
  ClassIds classes_;
  std::int64_t unused_logits_ = 0;
  std::vector<std::string> unlabelled_, ambiguous_, unreadable_, attributes_;
};

/// The classes of the logits: from the file itself, else from metadata.json next to it.
std::vector<std::string> classesOfLogits(const json& dataset, const std::string& field,
                                         const std::string& file) {
  std::vector<std::string> names = listedClasses(dataset, field);
  const fs::path metadata = fs::path(file).parent_path() / "metadata.json";
  std::error_code error;
  // A link could lead out of the folder.
  if (names.empty() && !fs::is_symlink(metadata, error) && fs::is_regular_file(metadata, error)) {
    if (const auto read = readJsonFile(metadata.string(), kFiftyOneRemedy)) {
      names = listedClasses(*read, field);
    }
  }
  return names;
}

Expected<LabelImport> readFiftyOne(const std::string& path, const LabelImportOptions& options,
                                   RunContext& context) {
  const std::string file = fileOfSamples(path);
  const Expected<json> dataset = readSamples(file);
  if (!dataset) {
    return failWith(dataset);
  }
  const json& samples = listMember(*dataset, "samples");
  const Expected<std::string> field = chooseField(samples, options.field, file);
  if (!field) {
    return failWith(field);
  }
  FiftyOneReader reader(*field, classesOfLogits(*dataset, *field, file));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (static_cast<std::int64_t>(i) % kSamplesPerStep == 0 &&
        context.step("reading", static_cast<std::int64_t>(i),
                     static_cast<std::int64_t>(samples.size())) == Step::kCancel) {
      return cancelled();
    }
    reader.add(samples[i], i);
  }
  return reader.finish();
}

LabelMatch recogniseFiftyOne(const LabelPlace& place) {
  return firstCharacter(place.head) == '{' && hasJsonKey(place.head, "samples")
             ? LabelMatch::kCertain
             : LabelMatch::kNone;
}

}  // namespace

LabelFormat fiftyOneLabels() {
  return {.key = "fiftyone",
          .name = "FiftyOne",
          .ending = ".json",
          .summary = "samples.json with a classification per sample",
          .keeps = {LabelPart::kItemIds, LabelPart::kPaths, LabelPart::kClasses,
                    LabelPart::kActions, LabelPart::kAnnotators, LabelPart::kTimes,
                    LabelPart::kOrigins, LabelPart::kPrevious, LabelPart::kProbabilities},
          .shapes = LabelShapes::kWrittenBack,
          .read = readFiftyOne,
          .write = writeFiftyOne,
          .recognise = recogniseFiftyOne,
          .usual_file = "samples.json"};
}

}  // namespace dubito
