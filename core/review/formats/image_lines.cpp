// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/image_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/json_text.h"
#include "core/io/csv.h"
#include "core/io/item_lines.h"
#include "core/io/mapped_file.h"
#include "core/review/formats/class_label_names.h"
#include "core/review/formats/parsed_json.h"
#include "core/review/formats/place_head.h"
#include "core/review/formats/scores.h"
#include "core/review/formats/utc_time.h"
#include "core/review/formats/utf8_text.h"

namespace dubito {
namespace {

using nlohmann::json;

constexpr const char* kLinesRemedy = "write one JSON object per line, with file_name and label";
constexpr std::int64_t kLinesPerStep = 1024;
constexpr std::array kFileKeys{"file_name", "filename", "file",       "path", "filepath",
                               "file_path", "image",    "image_path", "img"};
constexpr std::array kLabelKeys{"label",    "class",      "class_name",
                                "category", "prediction", "predicted_label"};
constexpr std::array kScoreKeys{"score", "confidence", "probability", "prob"};
constexpr std::array kScoresKeys{"scores", "probs", "probabilities", "predictions"};
constexpr std::array kAnnotatorKeys{"annotator", "annotated_by", "labeler", "user"};
constexpr std::array kTimeKeys{"time", "updated_at", "created_at", "timestamp"};

// --- Writing

json lineOf(const LabelRow& row, const ClassNames& names) {
  json object{{"file_name", itemText(row)}};
  object["label"] = row.class_id ? json(names.text(row.class_id)) : json(nullptr);
  if (const std::optional<float> probability = classProbability(row, names)) {
    object["score"] = *probability;
  }
  if (!row.annotator.empty()) {
    object["annotator"] = row.annotator;
  }
  if (row.time_ms != 0) {
    object["time"] = utcText(row.time_ms);
  }
  return object;
}

Expected<LabelExport> writeImageLines(const LabelTable& table, const std::string& path,
                                      const LabelExportOptions& /*options*/, RunContext& context) {
  const ClassNames names(table.classes);
  LabelExport result;
  const std::vector<std::size_t> rows = namedRows(table, result.notes);
  result.labels = static_cast<std::int64_t>(rows.size());
  const auto line = [&](std::int64_t i) {
    return jsonText(lineOf(table.rows[rows[static_cast<std::size_t>(i)]], names), -1);
  };
  const auto others = [&](std::int64_t i) { return line(i + 1); };
  if (Status written =
          writeItemLines(path, rows.empty() ? std::string() : line(0),
                         std::max<std::int64_t>(result.labels - 1, 0), others, context);
      !written) {
    return failWith(written);
  }
  noteTextsNotUtf8(table, result.notes);
  return result;
}

// --- Reading

/// The first member with one of these keys that is not null.
template <std::size_t kCount>
const json* firstMember(const json& object, const std::array<const char*, kCount>& keys) {
  for (const char* const key : keys) {
    const json* const member = memberOf(object, key);
    if (member != nullptr && !member->is_null()) {
      return member;
    }
  }
  return nullptr;
}

template <std::size_t kCount>
std::string firstText(const json& object, const std::array<const char*, kCount>& keys) {
  const json* const member = firstMember(object, keys);
  return member != nullptr && member->is_string() ? member->get<std::string>() : std::string();
}

/// A score as a number or, as tables become JSON, as text.
std::optional<float> scoreOf(const json* value) {
  const auto number = value == nullptr     ? std::nullopt
                      : value->is_number() ? std::optional(value->get<double>())
                      : value->is_string() ? parseNumber(value->get_ref<const std::string&>())
                                           : std::nullopt;
  return number ? possibleScore(*number) : std::nullopt;
}

struct ScoredClass {
  std::string name;
  double score = 0.0;
};

/// {"cat": 0.9, ...} or [{"label": "cat", "score": 0.9}, ...]; empty for anything else.
std::vector<ScoredClass> scoredClasses(const json* value) {
  std::vector<ScoredClass> classes;
  const auto add = [&](std::string name, const json* score) {
    if (!name.empty() && score != nullptr && score->is_number() && score->get<double>() >= 0.0 &&
        score->get<double>() <= 1.0) {
      classes.push_back({std::move(name), score->get<double>()});
    }
  };
  if (value != nullptr && value->is_object()) {
    for (const auto& [name, score] : value->items()) {
      add(name, &score);
    }
  } else if (value != nullptr && value->is_array()) {
    for (const json& each : *value) {
      add(firstText(each, kLabelKeys), firstMember(each, kScoreKeys));
    }
  }
  return classes;
}

/// Reads one file line by line.
class ImageLineReader {
 public:
  ImageLineReader(std::string path, std::string_view text)
      : path_(std::move(path)),
        text_(text),
        names_(classLabelNames(std::filesystem::path(path_).parent_path().string())),
        classes_(result_.table.classes) {
    for (const std::string& name : names_) {
      (void)classes_.idOf(name);
    }
  }

  Expected<LabelImport> read(RunContext& context) {
    std::int64_t line = 0;
    for (std::size_t start = 0; start < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', start), text_.size());
      ++line;
      if (Status added = addLine(text_.substr(start, end - start), line); !added) {
        return failWith(added);
      }
      start = end + 1;
      if (line % kLinesPerStep == 0 &&
          context.step("reading", static_cast<std::int64_t>(std::min(start, text_.size())),
                       static_cast<std::int64_t>(text_.size())) == Step::kCancel) {
        return cancelled();
      }
    }
    addNote(result_.notes, "images without a label", std::move(unlabelled_));
    addNote(result_.notes, "images with several classes, left out", std::move(several_));
    addNote(result_.notes, "lines without an image, left out", std::move(nameless_));
    addNote(result_.notes, "labels that are no text or number, left out", std::move(unknown_));
    return std::move(result_);
  }

 private:
  Status addLine(std::string_view text, std::int64_t number) {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    text.remove_prefix(number == 1 && text.starts_with(kMark) ? kMark.size() : 0);
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) {
      return {};
    }
    const Expected<json> object = parseJson(text, path_, kLinesRemedy, {}, number);
    if (!object) {
      return failWith(object);
    }
    if (!object->is_object()) {
      return fail(ErrorCode::kMalformed, fmt::format("{}: line {}: is not a JSON object; {}", path_,
                                                     number, kLinesRemedy));
    }
    LabelRow row;
    row.path = firstText(*object, kFileKeys);
    if (row.path.empty()) {
      nameless_.push_back(fmt::format("line {}", number));
      return {};
    }
    row.annotator = firstText(*object, kAnnotatorKeys);
    row.time_ms = parseUtcText(firstText(*object, kTimeKeys)).value_or(0);
    addLabel(*object, std::move(row));
    return {};
  }

  void addLabel(const json& object, LabelRow row) {
    std::vector<ScoredClass> scored = scoredClasses(firstMember(object, kScoresKeys));
    if (scored.empty()) {
      const json* const label = firstMember(object, kLabelKeys);
      scored = label != nullptr && label->is_array() ? scoredClasses(label) : scored;
    }
    const std::optional<std::string> name = nameOfLabel(object, scored, row.path);
    if (!name) {
      return;
    }
    row.class_id = classes_.idOf(*name);
    row.probability = scoreOf(firstMember(object, kScoreKeys));
    double sum = 0.0;
    for (const ScoredClass& each : scored) {
      sum += each.score;
      if (each.name == *name && !row.probability) {
        row.probability = static_cast<float>(each.score);
      }
    }
    // The first few of many classes are not the scores of all.
    constexpr double kAll = 0.99;
    if (sum >= kAll) {
      for (const ScoredClass& each : scored) {
        const auto k = static_cast<std::size_t>(classes_.idOf(each.name));
        row.probs.resize(std::max(row.probs.size(), k + 1), 0.0F);
        row.probs[k] = static_cast<float>(each.score);
      }
    }
    result_.table.rows.push_back(std::move(row));
  }

  /// The label, else the class with the highest score; nothing, with a note, if there is none.
  std::optional<std::string> nameOfLabel(const json& object, const std::vector<ScoredClass>& scored,
                                         const std::string& image) {
    const json* const label = firstMember(object, kLabelKeys);
    if (!scored.empty() && (label == nullptr || label->is_array())) {
      return std::ranges::max_element(scored, {}, &ScoredClass::score)->name;
    }
    if (label != nullptr && label->is_array() && label->size() == 1) {
      return nameOfLabel({{"label", label->front()}}, scored, image);
    }
    if (label != nullptr && label->is_array() && !label->empty()) {
      several_.push_back(image);
      return std::nullopt;
    }
    if (label == nullptr || label->is_array()) {
      unlabelled_.push_back(image);
      return std::nullopt;
    }
    if (label->is_number_integer()) {
      if (*label == -1) {
        unlabelled_.push_back(image);
        return std::nullopt;
      }
      const auto number = label->get<std::uint64_t>();  // of a negative one very large
      return number < names_.size() ? names_[number] : label->dump();
    }
    const std::string name = label->is_string() ? label->get<std::string>() : "";
    if (trimmed(name).empty() || name == "?") {
      (label->is_string() ? unlabelled_ : unknown_).push_back(image);
      return std::nullopt;
    }
    return name;
  }

  std::string path_;
  std::string_view text_;
  std::vector<std::string> names_;  ///< of labels that are numbers; empty: unknown
  LabelImport result_;
  ClassIds classes_;
  std::vector<std::string> unlabelled_, several_, nameless_, unknown_;
};

Expected<LabelImport> readImageLines(const std::string& path, const LabelImportOptions& /*options*/,
                                     RunContext& context) {
  auto file = MappedFile::open(path);
  if (!file) {
    return failWith(file);
  }
  const ByteSpan bytes = (*file)->bytes();
  auto result = ImageLineReader(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()})
                    .read(context);
  if (const Status unchanged = (*file)->unchanged(); !unchanged) {
    return failWith(unchanged);
  }
  return result;
}

LabelMatch recogniseImageLines(const LabelPlace& place) {
  std::string_view line = firstLine(place.head);
  if (line.empty() && firstCharacter(place.head) == '{' &&
      place.head.find('\n') == std::string::npos) {
    line = place.head;  // a single line without an end
  }
  if (!line.starts_with('{')) {
    return LabelMatch::kNone;
  }
  const Expected<json> object = parseJson(line, place.path, kLinesRemedy);
  return object && !firstText(*object, kFileKeys).empty() ? LabelMatch::kCertain
                                                          : LabelMatch::kNone;
}

}  // namespace

LabelFormat imageLines() {
  return {.key = "imagefolder",
          .name = "Hugging Face metadata.jsonl",
          .ending = ".jsonl",
          .summary = "a JSON object per line with file_name and label",
          .keeps = {LabelPart::kPaths, LabelPart::kClasses, LabelPart::kAnnotators,
                    LabelPart::kTimes, LabelPart::kProbabilities},
          .shapes = LabelShapes::kLeftOut,
          .read = readImageLines,
          .write = writeImageLines,
          .recognise = recogniseImageLines,
          .usual_file = "metadata.jsonl"};
}

}  // namespace dubito
