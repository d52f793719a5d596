// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/jsonl_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/base/json_text.h"
#include "core/io/csv.h"
#include "core/io/item_lines.h"
#include "core/io/mapped_file.h"
#include "core/review/formats/parsed_json.h"
#include "core/review/formats/place_head.h"
#include "core/review/formats/utc_time.h"
#include "core/review/formats/utf8_text.h"

namespace dubito {
namespace {

using nlohmann::json;

constexpr const char* kJsonlFormat = "dubito-labels";
constexpr std::int64_t kJsonlVersion = 1;
constexpr const char* kJsonlRemedy = "the file is damaged or incomplete, export it again";
constexpr std::int64_t kJsonlLinesPerStep = 1024;

// --- Writing

/// A text, or {"hex": "c3"} if it is not UTF-8 (file names can be anything).
json textToJson(const std::string& text) {
  if (isUtf8(text)) {
    return text;
  }
  std::string hex;
  for (const char c : text) {
    hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  }
  return {{"hex", hex}};
}

json classToJson(const LabelClass& each) {
  json object{{"id", each.id}, {"name", textToJson(each.name)}};
  if (!each.colour.empty()) {
    object["colour"] = textToJson(each.colour);
  }
  if (!each.key.empty()) {
    object["key"] = textToJson(each.key);
  }
  if (each.merged_into) {
    object["merged_into"] = *each.merged_into;
  }
  return object;
}

json rowToJson(const LabelRow& row, const ClassNames& names) {
  json object = json::object();
  const auto put_text = [&object](const char* key, const std::string& text) {
    if (!text.empty()) {
      object[key] = textToJson(text);
    }
  };
  const auto put_integer = [&object](const char* key, std::int64_t value) {
    if (value != 0) {
      object[key] = value;
    }
  };
  const auto put_class = [&](const char* id_key, const char* name_key,
                             std::optional<std::int64_t> id) {
    if (id) {
      object[id_key] = *id;
      object[name_key] = textToJson(names.text(id));
    }
  };
  if (row.item) {
    object["item"] = *row.item;
  }
  put_text("path", row.path);
  put_class("class_id", "class", row.class_id);
  put_class("previous_class_id", "previous_class", row.previous_class);
  put_text("action", row.action ? std::string(keyOf(*row.action)) : "");
  put_text("origin", row.origin ? std::string(keyOf(*row.origin)) : "");
  put_text("previous_origin", row.previous_origin ? std::string(keyOf(*row.previous_origin)) : "");
  put_text("annotator", row.annotator);
  put_integer("time_ms", row.time_ms);
  if (row.time_ms != 0) {
    object["time"] = utcText(row.time_ms);
  }
  if (row.probability) {
    object["probability"] = *row.probability;
  }
  if (!row.probs.empty()) {
    object["probs"] = row.probs;  // NaN becomes null
  }
  object["present"] = row.present;
  put_text("content_hash", row.content_hash);
  put_integer("spent_ms", row.spent_ms);
  if (row.prediction_shown) {
    object["prediction_shown"] = *row.prediction_shown;
  }
  put_text("queue", row.queue);
  put_text("run", row.run);
  put_integer("sequence", row.sequence);
  put_integer("step", row.step);
  if (row.undone) {
    object["undone"] = true;
  }
  return object;
}

/// A separate line; labels do not have the member `remark`.
json remarkToJson(const Remark& remark, const ClassNames& names) {
  json object{{"remark", std::string(keyOf(remark.subject))},
              {"annotator", textToJson(remark.annotator)},
              {"time_ms", remark.time_ms},
              {"time", utcText(remark.time_ms)}};
  const auto put_class = [&](std::int64_t id) {
    object["class_id"] = id;
    object["class"] = textToJson(names.text(id));
  };
  if (remark.subject == RemarkSubject::kClass) {
    put_class(remark.about);
  } else {
    object["item"] = remark.about;
  }
  if (remark.subject != RemarkSubject::kExample) {
    object["text"] = textToJson(remark.text);
  } else if (const auto of_class = classOfExample(remark.text)) {
    put_class(*of_class);
  }
  return object;
}

Expected<LabelExport> writeJsonlLabels(const LabelTable& table, const std::string& path,
                                       const LabelExportOptions& /*options*/, RunContext& context) {
  json head{{"format", kJsonlFormat}, {"schema_version", kJsonlVersion}};
  head["classes"] = json::array();
  for (const LabelClass& each : table.classes) {
    head["classes"].push_back(classToJson(each));
  }
  if (!table.network_classes.empty()) {
    head["network_classes"] = json::array();
    for (const std::string& name : table.network_classes) {
      head["network_classes"].push_back(textToJson(name));
    }
  }
  const ClassNames names(table.classes);
  LabelExport result;
  result.labels = static_cast<std::int64_t>(table.rows.size());
  const auto line = [&](std::int64_t i) {
    return jsonText(
        i < result.labels
            ? rowToJson(table.rows[static_cast<std::size_t>(i)], names)
            : remarkToJson(table.remarks[static_cast<std::size_t>(i - result.labels)], names),
        -1);
  };
  const std::int64_t lines = result.labels + std::ssize(table.remarks);
  if (Status written = writeItemLines(path, jsonText(head, -1), lines, line, context); !written) {
    return failWith(written);
  }
  return result;
}

// --- Reading

/// Reads the members of one object; the first invalid one is remembered.
class JsonlObject {
 public:
  explicit JsonlObject(const json& object) : object_(object) {}

  /// "'time_ms' is \"noon\"", or empty.
  [[nodiscard]] const std::string& error() const { return error_; }

  [[nodiscard]] bool has(const char* key) const { return memberOf(object_, key) != nullptr; }

  void read(const char* key, std::string& value) {
    const json* const member = memberOf(object_, key);
    if (member == nullptr) {
      return;
    }
    if (member->is_string()) {
      value = member->get<std::string>();
    } else if (const std::string hex = textMember(*member, "hex"); !readHex(hex, value)) {
      reject(key, *member);
    }
  }

  void read(const char* key, std::int64_t& value) {
    if (memberOf(object_, key) == nullptr) {
      return;
    }
    if (const auto integer = integerMember(object_, key)) {
      value = *integer;
    } else {
      reject(key, *memberOf(object_, key));
    }
  }

  void read(const char* key, std::optional<std::int64_t>& value) {
    std::int64_t integer = 0;
    read(key, integer);
    if (has(key)) {
      value = integer;
    }
  }

  void read(const char* key, bool& value) {
    const json* const member = memberOf(object_, key);
    if (member != nullptr && member->is_boolean()) {
      value = member->get<bool>();
    } else if (member != nullptr) {
      reject(key, *member);
    }
  }

  void read(const char* key, std::optional<bool>& value) {
    bool flag = false;
    read(key, flag);
    if (has(key)) {
      value = flag;
    }
  }

  /// A number; null is NaN.
  [[nodiscard]] std::optional<float> number(const json& value) const {
    if (value.is_null()) {
      return std::numeric_limits<float>::quiet_NaN();
    }
    return value.is_number() ? std::optional(value.get<float>()) : std::nullopt;
  }

  void read(const char* key, std::optional<float>& value) {
    if (const json* const member = memberOf(object_, key)) {
      value = number(*member);
      if (!value) {
        reject(key, *member);
      }
    }
  }

  void read(const char* key, std::vector<float>& values) {
    const json* const member = memberOf(object_, key);
    if (member == nullptr) {
      return;
    }
    if (!member->is_array()) {
      reject(key, *member);
      return;
    }
    for (const json& each : *member) {
      const std::optional<float> value = number(each);
      if (!value) {
        reject(key, each);
        return;
      }
      values.push_back(*value);
    }
  }

  template <class Key, class OfKey>
  void readKey(const char* key, std::optional<Key>& value, OfKey of_key) {
    if (has(key)) {
      value = of_key(textMember(object_, key));
      if (!value) {
        reject(key, *memberOf(object_, key));
      }
    }
  }

 private:
  static bool readHex(const std::string& hex, std::string& value) {
    if (hex.empty() || hex.size() % 2 != 0) {
      return false;
    }
    value.clear();
    for (std::size_t i = 0; i < hex.size(); i += 2) {
      unsigned byte = 0;
      const char* const end = hex.data() + i + 2;
      const auto [rest, code] = std::from_chars(hex.data() + i, end, byte, 16);
      if (code != std::errc() || rest != end) {
        return false;
      }
      value += static_cast<char>(byte);
    }
    return true;
  }

  void reject(const char* key, const json& value) {
    if (error_.empty()) {
      error_ = fmt::format("'{}' is {}, which is not valid", key, jsonExcerpt(value));
    }
  }

  const json& object_;
  std::string error_;
};

LabelClass classOfJson(JsonlObject& object) {
  LabelClass each;
  object.read("id", each.id);
  object.read("name", each.name);
  object.read("colour", each.colour);
  object.read("key", each.key);
  object.read("merged_into", each.merged_into);
  return each;
}

LabelRow rowOfJson(JsonlObject& object) {
  LabelRow row;
  object.read("item", row.item);
  object.read("path", row.path);
  object.read("class_id", row.class_id);
  object.read("previous_class_id", row.previous_class);
  object.readKey("action", row.action, labelActionOfKey);
  object.readKey("origin", row.origin, labelOriginOfKey);
  object.readKey("previous_origin", row.previous_origin, labelOriginOfKey);
  object.read("annotator", row.annotator);
  object.read("time_ms", row.time_ms);
  object.read("probability", row.probability);
  object.read("probs", row.probs);
  object.read("present", row.present);
  object.read("content_hash", row.content_hash);
  object.read("spent_ms", row.spent_ms);
  object.read("prediction_shown", row.prediction_shown);
  object.read("queue", row.queue);
  object.read("run", row.run);
  object.read("sequence", row.sequence);
  object.read("step", row.step);
  object.read("undone", row.undone);
  return row;
}

Remark remarkOfJson(JsonlObject& object) {
  std::optional<RemarkSubject> subject;
  Remark remark;
  object.readKey("remark", subject, remarkSubjectOfKey);
  remark.subject = subject.value_or(RemarkSubject::kItem);
  object.read(remark.subject == RemarkSubject::kClass ? "class_id" : "item", remark.about);
  object.read("annotator", remark.annotator);
  object.read("time_ms", remark.time_ms);
  if (remark.subject == RemarkSubject::kExample) {
    std::int64_t of_class = -1;
    object.read("class_id", of_class);
    remark.text = exampleText(of_class);
  } else {
    object.read("text", remark.text);
  }
  return remark;
}

/// Reads one file line by line.
class JsonlReader {
 public:
  JsonlReader(std::string path, std::string_view text) : path_(std::move(path)), text_(text) {}

  Expected<LabelImport> read(RunContext& context) {
    if (Status head = readHead(); !head) {
      return failWith(head);
    }
    while (position_ < text_.size()) {
      if (Status row = readRow(); !row) {
        return failWith(row);
      }
      if (line_ % kJsonlLinesPerStep == 0 &&
          context.step("reading", static_cast<std::int64_t>(position_),
                       static_cast<std::int64_t>(text_.size())) == Step::kCancel) {
        return cancelled();
      }
    }
    return std::move(result_);
  }

 private:
  tl::unexpected<Error> malformedLine(const std::string& reason) const {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: line {}: {}; {}", path_, line_, reason, kJsonlRemedy));
  }

  std::string_view nextLine() {
    const std::size_t end = std::min(text_.find('\n', position_), text_.size());
    const std::string_view line = text_.substr(position_, end - position_);
    position_ = end + 1;
    ++line_;
    return line;
  }

  Expected<json> nextObject(std::string_view line) {
    Expected<json> object = parseJson(line, path_, kJsonlRemedy, {}, line_);
    if (object && !object->is_object()) {
      return malformedLine("is not a JSON object");
    }
    return object;
  }

  Status readHead() {
    const Expected<json> head = nextObject(nextLine());
    if (!head || textMember(*head, "format") != kJsonlFormat) {
      return fail(ErrorCode::kMalformed,
                  fmt::format("{}: line 1 is not the head of a label file ({{\"format\": \"{}\", "
                              "...}}); give a file exported as JSON lines",
                              path_, kJsonlFormat));
    }
    const auto version = integerMember(*head, "schema_version");
    if (!version || *version < 1) {
      return malformedLine("'schema_version' is missing");
    }
    if (*version > kJsonlVersion) {
      return fail(ErrorCode::kUnsupported,
                  fmt::format("{}: has version {}, but this program reads versions up to {}; "
                              "update the program",
                              path_, *version, kJsonlVersion));
    }
    const json* const classes = memberOf(*head, "classes");
    if (classes == nullptr || !classes->is_array()) {
      return malformedLine("'classes' is missing");
    }
    for (const json& each : *classes) {
      JsonlObject object(each);
      if (!object.has("id") || !object.has("name")) {
        return malformedLine("a class has no id or no name");
      }
      result_.table.classes.push_back(classOfJson(object));
      if (!object.error().empty()) {
        return malformedLine(object.error());
      }
    }
    for (const json& each : listMember(*head, "network_classes")) {
      const json wrapped{{"name", each}};
      JsonlObject object(wrapped);
      object.read("name", result_.table.network_classes.emplace_back());
      if (!object.error().empty()) {
        return malformedLine(object.error());
      }
    }
    return checkClasses();
  }

  /// Distinct ids; merges that end at a class.
  Status checkClasses() {
    std::unordered_map<std::int64_t, std::optional<std::int64_t>> next;
    for (const LabelClass& each : result_.table.classes) {
      if (!ids_.insert(each.id).second) {
        return malformedLine(fmt::format("class {} is listed twice", each.id));
      }
      next.emplace(each.id, each.merged_into);
    }
    std::unordered_set<std::int64_t> sound;
    for (const LabelClass& each : result_.table.classes) {
      std::unordered_set<std::int64_t> visited;
      for (std::optional<std::int64_t> id = each.id; id && !sound.contains(*id);
           id = next.at(*id)) {
        if (!visited.insert(*id).second || !next.contains(next.at(*id).value_or(*id))) {
          return malformedLine(fmt::format(
              "class {} is merged into one that does not exist or is merged back", each.id));
        }
      }
      sound.merge(visited);
    }
    return {};
  }

  Status readRow() {
    const std::string_view line = nextLine();
    if (trimmed(line).empty() || line == "\r") {
      return {};
    }
    const Expected<json> value = nextObject(line);
    if (!value) {
      return failWith(value);
    }
    JsonlObject object(*value);
    if (object.has("remark")) {
      return takeRemark(object);
    }
    LabelRow row = rowOfJson(object);
    if (!object.error().empty()) {
      return malformedLine(object.error());
    }
    for (const std::optional<std::int64_t> id : {row.class_id, row.previous_class}) {
      if (id && !ids_.contains(*id)) {
        return malformedLine(fmt::format("class {} is not listed in line 1", *id));
      }
    }
    result_.table.rows.push_back(std::move(row));
    return {};
  }

  Status takeRemark(JsonlObject& object) {
    Remark remark = remarkOfJson(object);
    if (!object.error().empty()) {
      return malformedLine(object.error());
    }
    const std::optional<std::int64_t> of_class =
        remark.subject == RemarkSubject::kClass     ? std::optional(remark.about)
        : remark.subject == RemarkSubject::kExample ? classOfExample(remark.text).value_or(-1)
                                                    : std::optional<std::int64_t>();
    if (of_class && !ids_.contains(*of_class)) {
      return malformedLine(fmt::format("class {} is not listed in line 1", *of_class));
    }
    if (!remark.text.empty()) {
      result_.table.remarks.push_back(std::move(remark));
    }
    return {};
  }

  std::string path_;
  std::string_view text_;
  std::size_t position_ = 0;
  std::int64_t line_ = 0;
  std::unordered_set<std::int64_t> ids_;
  LabelImport result_;
};

Expected<LabelImport> readJsonlLabels(const std::string& path,
                                      const LabelImportOptions& /*options*/, RunContext& context) {
  auto file = MappedFile::open(path);
  if (!file) {
    return failWith(file);
  }
  const ByteSpan bytes = (*file)->bytes();
  auto result =
      JsonlReader(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}).read(context);
  if (const Status unchanged = (*file)->unchanged(); !unchanged) {
    return failWith(unchanged);
  }
  return result;
}

constexpr LabelParts everyPart() {
  return {LabelPart::kItemIds,       LabelPart::kPaths,       LabelPart::kClasses,
          LabelPart::kWithoutClass,  LabelPart::kActions,     LabelPart::kAnnotators,
          LabelPart::kTimes,         LabelPart::kOrigins,     LabelPart::kPrevious,
          LabelPart::kProbabilities, LabelPart::kProbVectors, LabelPart::kUnusedClasses,
          LabelPart::kClassDetails,  LabelPart::kHistory,     LabelPart::kCircumstances,
          LabelPart::kRemarks};
}

LabelMatch recogniseJsonl(const LabelPlace& place) {
  const std::string_view line = firstLine(place.head);
  return line.starts_with('{') && line.find(kJsonlFormat) != std::string_view::npos
             ? LabelMatch::kCertain
             : LabelMatch::kNone;
}

}  // namespace

LabelFormat jsonlLabels() {
  return {.key = "jsonl",
          .name = "JSON lines",
          .ending = ".jsonl",
          .summary = "all decisions and classes, one per line",
          .keeps = everyPart(),
          .shapes = LabelShapes::kNone,
          .read = readJsonlLabels,
          .write = writeJsonlLabels,
          .recognise = recogniseJsonl};
}

}  // namespace dubito
