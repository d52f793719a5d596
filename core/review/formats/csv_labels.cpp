// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/formats/csv_labels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/io/csv.h"
#include "core/io/item_lines.h"
#include "core/io/usual_names.h"
#include "core/review/formats/class_label_names.h"
#include "core/review/formats/parsed_json.h"
#include "core/review/formats/place_head.h"
#include "core/review/formats/scores.h"
#include "core/review/formats/utc_time.h"

namespace dubito {
namespace {

constexpr const char* kCsvHead =
    "id,path,label,class_number,action,annotator,time,origin,previous_label,previous_origin,"
    "probability";
constexpr std::string_view kCsvPathNames[] = {"path",     "file",       "filename", "file_name",
                                              "filepath", "file_path",  "image",    "image_path",
                                              "img_path", "image_name", "image_id", "id_code"};
constexpr std::string_view kCsvChoiceNames[] = {"choice", "choices"};
constexpr std::string_view kCsvClassNames[] = {"class", "class_name", "category"};
constexpr std::string_view kCsvScoreNames[] = {"probability", "score", "confidence", "prob",
                                               "conf"};
constexpr std::string_view kCsvAnnotatorNames[] = {"annotator", "annotated_by", "labeler", "user"};
constexpr std::string_view kCsvTimeNames[] = {"time", "updated_at", "created_at", "timestamp"};
/// Before the name of a class in the names of columns with its scores.
constexpr std::string_view kCsvScorePrefixes[] = {"prob_", "p_", "score_", "probability_",
                                                  "confidence_"};
/// Of a Hugging Face dataset, whose labels may be numbers.
constexpr const char* kMetadataTable = "metadata.csv";
constexpr std::int64_t kCsvRowsPerStep = 4096;
constexpr float kNoScore = std::numeric_limits<float>::quiet_NaN();

// --- Writing

std::string csvKey(std::optional<LabelAction> action) {
  return action ? std::string(keyOf(*action)) : std::string();
}

std::string csvKey(std::optional<LabelOrigin> origin) {
  return origin ? std::string(keyOf(*origin)) : std::string();
}

std::string csvLine(const LabelRow& row, const ClassNames& names) {
  const std::optional<float> probability = classProbability(row, names);
  return fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{}", row.item ? fmt::format("{}", *row.item) : std::string(),
      csvField(itemText(row)), csvField(names.text(row.class_id)),
      row.class_id ? fmt::format("{}", *row.class_id) : std::string(), csvKey(row.action),
      csvField(row.annotator), row.time_ms == 0 ? std::string() : utcText(row.time_ms),
      csvKey(row.origin), csvField(names.text(row.previous_class)), csvKey(row.previous_origin),
      probability ? fmt::format("{}", *probability) : std::string());
}

/// Whether the dataset kind csv: reads this label as another one or as unknown.
bool isChangedByCsvDataset(const std::string& name) {
  const std::string_view kept = trimmed(name);
  return kept.size() != name.size() || kept.empty() || kept == "?" || kept == "-1";
}

/// Reasons that keep the dataset kind csv: from opening the file or from reading the same labels.
void noteCsvDatasetLimits(const LabelTable& table, const std::vector<std::size_t>& rows,
                          const ClassNames& names, std::vector<LabelNote>& notes) {
  std::vector<std::string> repeated;
  std::vector<std::string> unreadable;
  std::set<std::string> seen;
  std::set<std::string> changed;
  for (const std::size_t i : rows) {
    const std::string path = itemText(table.rows[i]);
    const bool control = std::ranges::any_of(
        path, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7F'; });
    if (control || trimmed(path).size() != path.size() || path.empty()) {
      unreadable.push_back(path);
    } else if (!seen.insert(std::filesystem::path(path).lexically_normal().string()).second) {
      repeated.push_back(path);
    }
    const std::string* const name = names.of(table.rows[i].class_id);
    if (name != nullptr && isChangedByCsvDataset(*name)) {
      changed.insert(*name);
    }
  }
  addNote(notes, "paths on several rows, so that csv: cannot open the file as a dataset",
          std::move(repeated));
  addNote(notes, "paths that csv: datasets do not accept", std::move(unreadable));
  addNote(notes, "classes that csv: datasets read as unknown or under another name",
          std::vector<std::string>(changed.begin(), changed.end()));
}

Expected<LabelExport> writeCsvLabels(const LabelTable& table, const std::string& path,
                                     const LabelExportOptions& /*options*/, RunContext& context) {
  const ClassNames names(table.classes);
  const std::vector<std::size_t> rows = presentRows(table);
  // The number is that of the class after merges, like the name.
  const auto line = [&](std::int64_t i) {
    LabelRow row = table.rows[rows[static_cast<std::size_t>(i)]];
    if (row.class_id) {
      row.class_id = names.merged(*row.class_id);
    }
    return csvLine(row, names);
  };
  LabelExport result;
  result.labels = static_cast<std::int64_t>(rows.size());
  if (Status written = writeItemLines(path, kCsvHead, result.labels, line, context); !written) {
    return failWith(written);
  }
  noteCsvDatasetLimits(table, rows, names, result.notes);
  return result;
}

// --- Reading

/// Positions of the columns.
struct CsvLabelColumns {
  std::optional<std::size_t> id, path, label, number, action, annotator, time, origin, previous,
      previous_origin, probability;
  /// Other columns, which have scores if they are named after classes.
  std::vector<std::size_t> others;

  /// A column per class in place of one of labels, as Roboflow writes _classes.csv.
  [[nodiscard]] bool isOneHot() const { return path && !label && !action && others.size() > 1; }
};

std::optional<std::size_t> csvColumn(const CsvReader& csv,
                                     std::span<const std::string_view> names) {
  const std::vector<std::size_t> found = findNames(csv.header(), names);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

std::optional<std::size_t> csvColumn(const CsvReader& csv, std::string_view name) {
  return csvColumn(csv, std::span(&name, 1));
}

tl::unexpected<Error> noColumn(const CsvReader& csv, bool of_labels) {
  return fail(ErrorCode::kMalformed,
              fmt::format("{}: line 1 has no column of {} (it has {}); name one of them '{}'",
                          csv.path(), of_labels ? "labels" : "paths or ids",
                          inQuotes(fmt::format("{}", fmt::join(csv.header(), ","))),
                          of_labels ? "label" : "path"));
}

Expected<CsvLabelColumns> csvLabelColumns(const CsvReader& csv) {
  CsvLabelColumns columns;
  columns.id = csvColumn(csv, kIdNames);
  columns.path = csvColumn(csv, kCsvPathNames);
  // "label" before "labels": both are usual, but a table of ours has the former.
  columns.label = csvColumn(csv, "label");
  for (const std::span<const std::string_view> names :
       std::initializer_list<std::span<const std::string_view>>{kLabelNames, kCsvClassNames,
                                                                kCsvChoiceNames, kPredictedNames}) {
    if (!columns.label) {
      columns.label = csvColumn(csv, names);
    }
  }
  columns.number = csvColumn(csv, "class_number");
  columns.action = csvColumn(csv, "action");
  columns.annotator = csvColumn(csv, kCsvAnnotatorNames);
  columns.time = csvColumn(csv, kCsvTimeNames);
  columns.origin = csvColumn(csv, "origin");
  columns.previous = csvColumn(csv, "previous_label");
  columns.previous_origin = csvColumn(csv, "previous_origin");
  columns.probability = csvColumn(csv, kCsvScoreNames);
  const std::optional<std::size_t> known[] = {
      columns.id,         columns.path, columns.label,  columns.number,   columns.action,
      columns.annotator,  columns.time, columns.origin, columns.previous, columns.previous_origin,
      columns.probability};
  for (std::size_t i = 0; i < csv.header().size(); ++i) {
    if (std::ranges::find(known, std::optional(i)) == std::end(known)) {
      columns.others.push_back(i);
    }
  }
  const bool knows_item = columns.id || columns.path;
  const bool knows_label = columns.label || columns.action || columns.isOneHot();
  if (!knows_item || !knows_label) {
    return noColumn(csv, knows_item);
  }
  return columns;
}

/// Whether an item has the class of a column; nullopt for a text that does not say.
std::optional<bool> oneHotValue(std::string_view text) {
  const std::optional<double> number = parseNumber(text);
  return number == 1.0   ? std::optional(true)
         : number == 0.0 ? std::optional(false)
                         : truthValue(trimmed(text));
}

/// Reads the rows of one file.
class CsvLabelReader {
 public:
  CsvLabelReader(CsvReader& csv, const CsvLabelColumns& columns)
      : csv_(csv), columns_(columns), classes_(result_.table.classes) {
    const std::filesystem::path path(csv.path());
    if (path.filename() == kMetadataTable && !isOurs()) {
      names_ = classLabelNames(path.parent_path().string());
    }
  }

  Expected<LabelImport> read(RunContext& context) {
    std::int64_t count = 0;
    Expected<bool> any = csv_.next(fields_);
    for (; any && *any; any = csv_.next(fields_)) {
      addRow();
      if (++count % kCsvRowsPerStep == 0 &&
          context.step("reading", csv_.bytesRead(), csv_.bytesTotal()) == Step::kCancel) {
        return cancelled();
      }
    }
    if (!any) {
      return failWith(any);
    }
    if (columns_.isOneHot() && result_.table.rows.empty() && !cells_.empty()) {
      return notOneHot();
    }
    addScores();
    // Last, so that classes with a number keep it.
    for (std::size_t i = 0; i < previous_.size(); ++i) {
      if (!previous_[i].empty()) {
        result_.table.rows[i].previous_class = classes_.idOf(previous_[i]);
      }
    }
    addNote(result_.notes, "rows without a label", unlabelled_);
    addNote(result_.notes, "rows with several classes, left out", std::move(several_));
    addNote(result_.notes, "rows without a path and an id, left out", std::move(nameless_));
    addNote(result_.notes, "cells that were not understood, taken as empty", std::move(cells_));
    return std::move(result_);
  }

 private:
  /// A table of ours; its texts are taken literally, others are trimmed.
  [[nodiscard]] bool isOurs() const { return columns_.number.has_value(); }

  [[nodiscard]] std::string_view cell(std::optional<std::size_t> column) const {
    if (!column) {
      return {};
    }
    return isOurs() ? fields_[*column] : trimmed(fields_[*column]);
  }

  void reject(const char* what, std::string_view text) {
    cells_.push_back(fmt::format("line {}: {} {}", csv_.line(), what, shownText(text, 40)));
  }

  /// Cells of another kind in every row.
  [[nodiscard]] tl::unexpected<Error> notOneHot() const {
    constexpr std::size_t kMaxShown = 3;
    const auto shown = std::span(cells_).first(std::min(kMaxShown, cells_.size()));
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: line 1 has no column of labels, and its other columns are not one "
                            "for each class, with 0 and 1 or false and true ({}); name the column "
                            "of labels 'label'",
                            csv_.path(), fmt::join(shown, "; ")));
  }

  /// An integer; pandas writes 3 as "3.0" if the column has empty cells.
  std::optional<std::int64_t> integer(const char* what, std::optional<std::size_t> column) {
    const std::string_view text = trimmed(cell(column));
    if (text.empty()) {
      return std::nullopt;
    }
    constexpr double kLargestExact = 9007199254740992.0;
    std::optional<std::int64_t> value = parseInteger(text);
    const std::optional<double> number = parseNumber(text);
    if (!value && number && std::abs(*number) <= kLargestExact && *number == std::floor(*number)) {
      value = static_cast<std::int64_t>(*number);
    }
    if (!value) {
      reject(what, text);
    }
    return value;
  }

  std::optional<std::int64_t> classId() {
    const std::optional<std::int64_t> number = integer("class_number", columns_.number);
    const std::string_view name = cell(columns_.label);
    const bool unknown =
        isOurs() ? name.empty() && !number : name.empty() || name == "?" || name == "-1";
    if (unknown) {
      return std::nullopt;
    }
    const std::optional<double> value = isOurs() ? std::nullopt : parseNumber(name);
    if (value && *value == std::floor(*value) && std::abs(*value) < 1e9) {
      const auto index = static_cast<std::int64_t>(*value);
      const bool is_named = index >= 0 && index < std::ssize(names_);
      return classes_.idOf(is_named ? names_[static_cast<std::size_t>(index)]
                                    : fmt::format("{}", index));
    }
    return !isOurs() && isListText(name) ? classOfList(name) : classes_.idOf(name, number);
  }

  /// Label Studio writes several choices as {"choices": [...]}, other programs as a list.
  static bool isListText(std::string_view name) {
    return (name.starts_with('{') && name.ends_with('}')) ||
           (name.starts_with('[') && name.ends_with(']'));
  }

  std::optional<std::int64_t> classOfList(std::string_view text) {
    const auto parsed = parseJson(text, csv_.path(), "");
    const nlohmann::json* list = parsed ? &*parsed : nullptr;
    list = list != nullptr && list->is_object() ? memberOf(*list, "choices") : list;
    if (list == nullptr || !list->is_array()) {
      return classes_.idOf(text);
    }
    std::set<std::string> names;
    for (const nlohmann::json& each : *list) {
      if (each.is_string() && !each.get_ref<const std::string&>().empty()) {
        names.insert(each.get<std::string>());
      }
    }
    if (names.size() == 1) {
      return classes_.idOf(*names.begin());
    }
    if (names.empty() && !list->empty()) {
      return classes_.idOf(text);
    }
    if (!names.empty()) {
      several_.push_back(fmt::format("line {}: {}", csv_.line(), fmt::join(names, ", ")));
      has_several_ = true;
    }
    return std::nullopt;
  }

  /// A number, or per cent with their sign.
  static std::optional<float> score(std::string_view text) {
    const bool per_cent = text.ends_with('%');
    text.remove_suffix(per_cent ? 1 : 0);
    const auto value = parseNumber(text);
    return value ? possibleScore(per_cent ? *value / 100.0 : *value) : std::nullopt;
  }

  /// The class of the only column with 1; nothing, with a note, unless all others have 0.
  std::optional<std::int64_t> oneHotClass() {
    std::vector<std::string> chosen;
    for (const std::size_t column : columns_.others) {
      const std::optional<bool> value = oneHotValue(fields_[column]);
      const std::string name(trimmed(csv_.header()[column]));
      (void)classes_.idOf(name);
      if (value == true) {
        chosen.push_back(name);
      } else if (!value) {
        reject(name.c_str(), trimmed(fields_[column]));
      }
    }
    if (chosen.size() == 1) {
      return classes_.idOf(chosen.front());
    }
    if (!chosen.empty()) {
      several_.push_back(fmt::format("line {}: {}", csv_.line(), fmt::join(chosen, ", ")));
      has_several_ = true;
    }
    return std::nullopt;
  }

  template <class Key, class OfKey>
  std::optional<Key> key(const char* what, std::optional<std::size_t> column, OfKey of_key) {
    const std::string_view text = trimmed(cell(column));
    const std::optional<Key> value = text.empty() ? std::nullopt : of_key(text);
    if (!value && !text.empty()) {
      reject(what, text);
    }
    return value;
  }

  void addRow() {
    LabelRow row;
    if (columns_.path || parseNumber(cell(columns_.id))) {
      row.item = integer("id", columns_.id);
      row.path = cell(columns_.path);
      // The number may be the name of the file.
      row.second_path = columns_.path ? std::string_view() : cell(columns_.id);
    } else {
      row.path = cell(columns_.id);
    }
    row.class_id = columns_.isOneHot() ? oneHotClass() : classId();
    row.action = key<LabelAction>("action", columns_.action, labelActionOfKey);
    row.origin = key<LabelOrigin>("origin", columns_.origin, labelOriginOfKey);
    row.previous_origin =
        key<LabelOrigin>("previous_origin", columns_.previous_origin, labelOriginOfKey);
    row.annotator = cell(columns_.annotator);
    if (const std::string_view text = trimmed(cell(columns_.time)); !text.empty()) {
      const std::optional<std::int64_t> time = parseUtcText(text);
      row.time_ms = time.value_or(0);
      if (!time) {
        reject("time", text);
      }
    }
    if (const std::string_view text = trimmed(cell(columns_.probability)); !text.empty()) {
      row.probability = score(text);
      if (!row.probability) {
        reject("probability", text);
      }
    }
    if (!row.item && row.path.empty()) {
      nameless_.push_back(fmt::format("line {}", csv_.line()));
    } else if (!row.class_id && !row.action) {
      unlabelled_ += std::exchange(has_several_, false) ? 0 : 1;
    } else {
      previous_.emplace_back(cell(columns_.previous));
      addOtherNumbers();
      result_.table.rows.push_back(std::move(row));
    }
  }

  /// Keeps the numbers of the columns that may have scores, NaN for other texts.
  void addOtherNumbers() {
    for (const std::size_t column : isOurs() ? std::vector<std::size_t>() : columns_.others) {
      const std::optional<double> value = parseNumber(fields_[column]);
      others_.push_back(value && *value >= 0.0 && *value <= 1.0 ? static_cast<float>(*value)
                                                                : kNoScore);
    }
  }

  /// The class whose scores a column has: of the same name, after a usual prefix if there is one.
  [[nodiscard]] std::optional<std::string> classOfColumn(const std::string& name) const {
    const auto is_class = [this](std::string_view text) {
      return std::ranges::any_of(result_.table.classes,
                                 [text](const LabelClass& each) { return each.name == text; });
    };
    for (const std::string_view prefix : kCsvScorePrefixes) {
      if (name.size() > prefix.size() && name.starts_with(prefix)) {
        return name.substr(prefix.size());
      }
    }
    return is_class(name) ? std::optional(name) : std::nullopt;
  }

  /// Gives the rows the scores of all classes if at least two columns are named after classes, and
  /// all classes of labels among them.
  void addScores() {
    if (isOurs() || columns_.isOneHot()) {
      return;
    }
    std::vector<std::pair<std::size_t, std::string>> scored;  // positions in columns_.others
    for (std::size_t i = 0; i < columns_.others.size(); ++i) {
      if (auto name = classOfColumn(csv_.header()[columns_.others[i]])) {
        scored.emplace_back(i, *std::move(name));
      }
    }
    const bool covers_all = scored.size() > 1 &&
                            std::ranges::all_of(result_.table.classes, [&](const LabelClass& each) {
                              return std::ranges::any_of(scored, [&](const auto& column) {
                                return column.second == each.name;
                              });
                            });
    if (!covers_all) {
      return;
    }
    for (std::size_t row = 0; row < result_.table.rows.size(); ++row) {
      std::vector<float> probs;
      for (const auto& [column, name] : scored) {
        const auto k = static_cast<std::size_t>(classes_.idOf(name));
        probs.resize(std::max(probs.size(), k + 1), 0.0F);
        probs[k] = others_[row * columns_.others.size() + column];
      }
      if (std::ranges::none_of(probs, [](float score) { return std::isnan(score); })) {
        result_.table.rows[row].probs = std::move(probs);
      }
    }
  }

  CsvReader& csv_;
  const CsvLabelColumns& columns_;
  LabelImport result_;
  ClassIds classes_;
  std::vector<std::string_view> fields_;
  std::vector<std::string> previous_;  ///< of each row; "" for none
  std::vector<float> others_;          ///< [rows, columns_.others]
  std::vector<std::string> names_;     ///< of labels that are numbers; empty: unknown
  std::int64_t unlabelled_ = 0;
  bool has_several_ = false;  ///< the row that is read has several classes
  std::vector<std::string> several_;
  std::vector<std::string> nameless_;
  std::vector<std::string> cells_;
};

Expected<LabelImport> readCsvLabels(const std::string& path, const LabelImportOptions& /*options*/,
                                    RunContext& context) {
  Expected<CsvReader> csv = CsvReader::open(path);
  if (!csv) {
    return failWith(csv);
  }
  const Expected<CsvLabelColumns> columns = csvLabelColumns(*csv);
  if (!columns) {
    return failWith(columns);
  }
  return CsvLabelReader(*csv, *columns).read(context);
}

LabelMatch recogniseCsvLabels(const LabelPlace& place) {
  if (place.is_folder ||
      std::string_view("[{<").find(firstCharacter(place.head)) != std::string_view::npos) {
    return LabelMatch::kNone;
  }
  const Expected<CsvReader> csv = CsvReader::open(place.path);
  return csv && csvLabelColumns(*csv) ? LabelMatch::kPossible : LabelMatch::kNone;
}

}  // namespace

LabelFormat csvLabels() {
  return {.key = "csv",
          .name = "CSV",
          .ending = ".csv",
          .summary = "a table with one row per item, which the dataset kind csv: opens",
          .keeps = {LabelPart::kItemIds, LabelPart::kPaths, LabelPart::kClasses,
                    LabelPart::kWithoutClass, LabelPart::kActions, LabelPart::kAnnotators,
                    LabelPart::kTimes, LabelPart::kOrigins, LabelPart::kPrevious,
                    LabelPart::kProbabilities},
          .shapes = LabelShapes::kNone,
          .read = readCsvLabels,
          .write = writeCsvLabels,
          .recognise = recogniseCsvLabels,
          .usual_file = "metadata.csv"};
}

bool hasLabellingColumns(const std::string& path) {
  const auto csv = CsvReader::open(path);
  return csv && (csvColumn(*csv, kCsvScoreNames) || csvColumn(*csv, kCsvAnnotatorNames) ||
                 csvColumn(*csv, kCsvChoiceNames));
}

bool hasOneHotLabels(const std::string& path) {
  constexpr int kMaxRows = 1000;
  auto csv = CsvReader::open(path);
  if (!csv) {
    return false;
  }
  const auto columns = csvLabelColumns(*csv);
  if (!columns || !columns->isOneHot()) {
    return false;
  }
  std::vector<std::string_view> fields;
  int rows = 0;
  Expected<bool> any = csv->next(fields);
  for (; any && *any && rows < kMaxRows; any = csv->next(fields), ++rows) {
    if (rows == 0) {
      const auto image =
          std::filesystem::path(path).parent_path() / trimmed(fields[*columns->path]);
      std::error_code ignored;
      if (!std::filesystem::is_regular_file(image, ignored)) {
        return false;
      }
    }
    int ones = 0;
    for (const std::size_t column : columns->others) {
      const std::optional<bool> value = oneHotValue(fields[column]);
      if (!value) {
        return false;
      }
      ones += value == true ? 1 : 0;
    }
    if (ones > 1) {
      return false;
    }
  }
  return any && rows > 0;
}

}  // namespace dubito
