// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/fiftyone_labels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/base/json_text.h"
#include "core/io/item_lines.h"
#include "core/review/formats/parsed_json.h"
#include "core/review/formats/place_head.h"
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

json fiftyOneSample(const LabelRow& row, const ClassNames& names, const std::string& images) {
  const fs::path image = fs::path(images) / itemText(row);
  json sample{{"filepath", images.empty() ? image.string() : fs::absolute(image).string()},
              {"tags", json::array()},
              {"metadata", nullptr},
              {kTruthField, fiftyOneLabel(row, names)}};
  if (row.item) {
    sample[kFiftyOneId] = *row.item;
  }
  if (!row.path.empty()) {
    sample[kFiftyOnePath] = row.path;
  }
  return sample;
}

Expected<LabelExport> writeFiftyOne(const LabelTable& table, const std::string& path,
                                    const LabelExportOptions& options, RunContext& context) {
  const ClassNames names(table.classes);
  std::vector<std::size_t> rows = presentRows(table);
  LabelExport result;
  const auto nameless =
      std::erase_if(rows, [&table](std::size_t i) { return itemText(table.rows[i]).empty(); });
  result.labels = static_cast<std::int64_t>(rows.size());
  const auto line = [&](std::int64_t i) {
    if (i == result.labels) {
      return std::string("]}");
    }
    const LabelRow& row = table.rows[rows[static_cast<std::size_t>(i)]];
    return jsonText(fiftyOneSample(row, names, options.images), -1) +
           (i + 1 < result.labels ? "," : "");
  };
  if (Status written = writeItemLines(path, "{\"samples\": [", result.labels + 1, line, context);
      !written) {
    return failWith(written);
  }
  addNote(result.notes, "labels without a path and an id, left out",
          static_cast<std::int64_t>(nameless));
  noteTextsNotUtf8(table, result.notes);
  return result;
}

// --- Reading

/// Files that were edited by hand often lack "_cls".
bool isClassification(const json& value) {
  const std::string type = textMember(value, "_cls");
  return type == "Classification" || type == "Classifications" ||
         (memberOf(value, "_cls") == nullptr && memberOf(value, "label") != nullptr);
}

/// Reads samples one by one.
class FiftyOneReader {
 public:
  explicit FiftyOneReader(std::string field)
      : field_(std::move(field)), classes_(result_.table.classes) {}

  void add(const json& sample, std::size_t position) {
    LabelRow row;
    row.item = integerMember(sample, kFiftyOneId);
    row.path = textMember(sample, kFiftyOnePath);
    if (row.path.empty()) {
      row.path = textMember(sample, "filepath");
      std::ranges::replace(row.path, '\\', '/');
    }
    if (row.path.empty() && !row.item) {
      unreadable_.push_back(fmt::format("sample {}", position + 1));
      return;
    }
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
    if (confidence && *confidence >= 0.0 && *confidence <= 1.0) {
      row.probability = static_cast<float>(*confidence);
    }
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

  std::string field_;
  LabelImport result_;
  ClassIds classes_;
  std::vector<std::string> unlabelled_, ambiguous_, unreadable_, attributes_;
};

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

Expected<LabelImport> readFiftyOne(const std::string& path, const LabelImportOptions& options,
                                   RunContext& context) {
  std::error_code error;
  const std::string file =
      fs::is_directory(path, error) ? (fs::path(path) / "samples.json").string() : path;
  const Expected<json> dataset = readJsonFile(file, kFiftyOneRemedy);
  if (!dataset) {
    return failWith(dataset);
  }
  if (Status has_list = requireList(*dataset, "samples", file, kFiftyOneRemedy); !has_list) {
    return failWith(has_list);
  }
  const json& samples = listMember(*dataset, "samples");
  const Expected<std::string> field = chooseField(samples, options.field, file);
  if (!field) {
    return failWith(field);
  }
  FiftyOneReader reader(*field);
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
          .read = readFiftyOne,
          .write = writeFiftyOne,
          .recognise = recogniseFiftyOne,
          .usual_file = "samples.json"};
}

}  // namespace dubito
