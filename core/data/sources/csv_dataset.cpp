// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/csv_dataset.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/data/pixels/image_file.h"
#include "core/data/sources/folder_dataset.h"
#include "core/data/sources/folder_scan.h"
#include "core/io/csv.h"
#include "core/io/prediction_columns.h"
#include "core/io/run_check.h"
#include "core/io/usual_names.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

bool isControl(char c) {
  return (c >= 0 && c < ' ') || c == '\x7F';
}

constexpr std::string_view kPathNames[] = {"path",      "file",       "filename",
                                           "file_name", "filepath",   "file_path",
                                           "image",     "image_path", "img_path"};
constexpr std::string_view kClassNames[] = {"label",    "labels", "class",      "class_name",
                                            "category", "target", "true_label", "ground_truth"};
constexpr std::int64_t kRowsPerStep = 4096;

tl::unexpected<Error> malformed(const CsvReader& csv, const std::string& reason) {
  return fail(ErrorCode::kMalformed, csv.path() + ": " + reason);
}

std::optional<std::size_t> firstOf(const std::vector<std::string>& header,
                                   std::span<const std::string_view> names) {
  const std::vector<std::size_t> found = findNames(header, names);
  return found.empty() ? std::nullopt : std::optional<std::size_t>(found.front());
}

/// The role of each column.
struct Columns {
  std::size_t path = 0;
  std::optional<std::size_t> label;
  std::vector<std::size_t> others;
};

Expected<Columns> columnsOf(const CsvReader& csv) {
  const std::vector<std::string>& header = csv.header();
  const std::optional<std::size_t> path = firstOf(header, kPathNames);
  if (!path) {
    return malformed(csv, fmt::format("has no column of paths (it has {}); name one of them 'path'",
                                      inQuotes(fmt::format("{}", fmt::join(header, ",")))));
  }
  std::set<std::string> seen;
  for (const std::string& name : header) {
    if (!name.empty() && !seen.insert(name).second) {
      return malformed(csv,
                       fmt::format("has two columns named {}; rename one of them", inQuotes(name)));
    }
  }
  Columns columns{*path, firstOf(header, kClassNames), {}};
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (i != columns.path && i != columns.label) {
      columns.others.push_back(i);
    }
  }
  return columns;
}

bool isUnknown(std::string_view label) {
  return label.empty() || label == "?" || label == "-1";
}

/// The raw rows of the file.
struct Rows {
  std::vector<std::string> paths;
  std::vector<std::int64_t> lines;
  std::vector<std::string> labels;
  std::vector<AttributeBuilder> others;
};

Expected<Rows> readRows(CsvReader& csv, const Columns& columns, RunContext& context) {
  Rows rows;
  for (const std::size_t i : columns.others) {
    const std::string& name = csv.header()[i];
    rows.others.emplace_back(name.empty() ? fmt::format("column {}", i + 1) : name);
  }
  std::unordered_map<std::string, std::int64_t> line_of_path;
  std::vector<std::string_view> fields;
  Expected<bool> any = csv.next(fields);
  for (; any && *any; any = csv.next(fields)) {
    const std::string_view cell = trimmed(fields[columns.path]);
    if (cell.empty()) {
      return malformed(
          csv, fmt::format("line {} has no image path; add it or remove the line", csv.line()));
    }
    // Paths appear in messages and lists, where such characters would break lines or terminals.
    if (std::any_of(cell.begin(), cell.end(), isControl)) {
      return malformed(csv,
                       fmt::format("the path {} in line {} contains control characters; fix it",
                                   inQuotes(cell), csv.line()));
    }
    std::string path = fs::path(cell).lexically_normal().generic_string();
    const auto [first, is_new] = line_of_path.emplace(path, csv.line());
    if (!is_new) {
      return malformed(
          csv, fmt::format("line {} repeats {}, which is already in line {}; remove one of the two",
                           csv.line(), inQuotes(path), first->second));
    }
    rows.paths.push_back(std::move(path));
    rows.lines.push_back(csv.line());
    if (columns.label) {
      rows.labels.emplace_back(trimmed(fields[*columns.label]));
    }
    for (std::size_t i = 0; i < columns.others.size(); ++i) {
      rows.others[i].add(fields[columns.others[i]]);
    }
    if (rows.paths.size() % kRowsPerStep == 0 &&
        context.step("read", csv.bytesRead(), csv.bytesTotal()) == Step::kCancel) {
      return cancelled();
    }
  }
  if (!any) {
    return failWith(any);
  }
  if (rows.paths.empty()) {
    return malformed(csv, "has a header but no rows; add one row per image");
  }
  return rows;
}

struct Labels {
  std::vector<std::int64_t> numbers;
  std::vector<std::string> class_names;
};

/// Numbers if all labels are integers, else the positions of their names in byte order.
Expected<Labels> labelsOf(const CsvReader& csv, const Rows& rows) {
  Labels labels;
  labels.numbers.assign(rows.paths.size(), -1);
  bool numeric = true;
  std::set<std::string> names;
  for (const std::string& text : rows.labels) {
    if (isUnknown(text)) {
      continue;
    }
    const std::optional<double> number = parseNumber(text);
    // pandas writes 3 as "3.0" if the column has empty cells.
    numeric = numeric && number && *number == std::floor(*number);
    names.insert(text);
  }
  if (!numeric) {
    labels.class_names.assign(names.begin(), names.end());
  }
  for (std::size_t row = 0; row < rows.labels.size(); ++row) {
    const std::string& text = rows.labels[row];
    if (isUnknown(text)) {
      continue;
    }
    if (!numeric) {
      labels.numbers[row] =
          std::lower_bound(labels.class_names.begin(), labels.class_names.end(), text) -
          labels.class_names.begin();
      continue;
    }
    const double number = *parseNumber(text);
    if (number < 0.0 || number > static_cast<double>(kMaxClassNumber)) {
      return malformed(csv, fmt::format("line {} has the label {}; classes are numbered from 0 to "
                                        "{}, and an empty label means unknown",
                                        rows.lines[row], inQuotes(text), kMaxClassNumber));
    }
    labels.numbers[row] = static_cast<std::int64_t>(number);
  }
  return labels;
}

/// Counts missing images and names the first few. They stay in the dataset and fail when read, so
/// that they are listed among the skipped items.
Status noteMissing(const fs::path& folder, const std::vector<std::string>& paths,
                   std::vector<std::string>& notes, const std::string& csv, RunContext& context) {
  constexpr std::size_t kNamed = 5;
  std::vector<std::string> named;
  std::size_t missing = 0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (static_cast<std::int64_t>(i) % kRowsPerStep == 0 &&
        context.step("look for images", static_cast<std::int64_t>(i),
                     static_cast<std::int64_t>(paths.size())) == Step::kCancel) {
      return cancelled();
    }
    std::error_code ignored;
    if (fs::is_regular_file(folder / paths[i], ignored)) {
      continue;
    }
    if (++missing <= kNamed) {
      named.push_back(paths[i]);
    }
  }
  if (missing == paths.size()) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{}: none of its {} images exists, the first would be {}; paths are "
                            "relative to the folder of this file",
                            csv, missing, (folder / paths.front()).string()));
  }
  if (missing > 0) {
    notes.push_back(fmt::format("{} of {} images are missing and will be skipped: {}{}", missing,
                                paths.size(), fmt::join(named, ", "),
                                missing > kNamed ? ", ..." : ""));
  }
  return {};
}

}  // namespace

bool isManifest(const std::string& path) {
  Expected<CsvReader> csv = CsvReader::open(path);
  if (!csv || !firstOf(csv->header(), kPathNames)) {
    return false;
  }
  std::vector<std::string_view> row;
  const Expected<bool> any = csv->next(row);
  if (!any || !*any) {
    return any.has_value();
  }
  // Exported labels; their class number and previous label can look like two probabilities.
  if (std::ranges::find(csv->header(), "class_number") != csv->header().end()) {
    return true;
  }
  RunContext context;
  const Expected<CsvTable> table = readCsvTable(path, context);
  if (!table) {
    return false;
  }
  const auto found = findPredictionColumns(*table, context);
  if (!found) {
    return false;  // predictions that are refused
  }
  const std::vector<std::size_t>& scores = found->scores.columns;
  const bool per_class = scores.size() >= 2 && std::ranges::all_of(scores, [&](std::size_t c) {
                           return table->columns[c].isNumbers();
                         });
  const bool per_item = found->prediction && (found->confidence || scores.size() == 1);
  return !per_class && !per_item && !found->ranked;
}

namespace {

Expected<DatasetPtr> openCsv(const DatasetSpec& spec, RunContext& context) {
  if (const Status status = canReadPhotographs(); !status) {
    return failOf(spec.location, status.error());
  }
  Expected<CsvReader> csv = CsvReader::open(spec.location);
  if (!csv) {
    return failWith(csv);
  }
  const Expected<Columns> columns = columnsOf(*csv);
  if (!columns) {
    return failWith(columns);
  }
  Expected<Rows> rows = readRows(*csv, *columns, context);
  if (!rows) {
    return failWith(rows);
  }
  Expected<Labels> labels = labelsOf(*csv, *rows);
  if (!labels) {
    return failWith(labels);
  }
  DatasetInfo info;
  const fs::path folder = fs::path(spec.location).parent_path();
  info.name = fs::path(spec.location).stem().string();
  info.spec = toString(spec);
  info.class_names = std::move(labels->class_names);
  const std::string& path_name = csv->header()[columns->path];
  if (path_name != "path") {
    info.notes.push_back(fmt::format("paths were read from the column '{}'", path_name));
  }
  if (columns->label && csv->header()[*columns->label] != "label") {
    info.notes.push_back(
        fmt::format("labels were read from the column '{}'", csv->header()[*columns->label]));
  }
  const auto unknown = std::count(labels->numbers.begin(), labels->numbers.end(), -1);
  if (!columns->label) {
    info.notes.emplace_back("there is no column of labels; all labels are unknown");
  } else if (unknown > 0) {
    info.notes.push_back(
        fmt::format("{} of {} items have no label", unknown, labels->numbers.size()));
  }
  if (Status status = noteMissing(folder, rows->paths, info.notes, spec.location, context);
      !status) {
    return failWith(status);
  }
  Expected<std::vector<std::int64_t>> ids = pathIds(spec.location, rows->paths);
  if (!ids) {
    return failWith(ids);
  }
  std::vector<Attribute> attributes;
  for (AttributeBuilder& builder : rows->others) {
    attributes.push_back(std::move(builder).finish());
  }
  return std::make_shared<const FolderDataset>(std::move(info), folder.string(),
                                               std::move(rows->paths), std::move(labels->numbers),
                                               std::move(*ids), std::move(attributes));
}

class CsvKind : public DatasetKind {
 public:
  [[nodiscard]] std::string scheme() const override { return "csv"; }
  [[nodiscard]] std::string location() const override { return "FILE"; }
  [[nodiscard]] std::string label() const override { return "CSV lists of images"; }
  [[nodiscard]] std::vector<DatasetExample> examples() const override {
    return {{"csv:FILE", "a table with the columns path and label"}};
  }
  [[nodiscard]] std::vector<DatasetOption> options() const override { return {}; }
  [[nodiscard]] std::vector<std::string> patterns() const override { return {"*.csv"}; }
  [[nodiscard]] bool claimsName(const std::string& /*name*/) const override {
    return false;  // tables of predictions have such names as well
  }
  [[nodiscard]] Expected<MatchConfidence> recognise(const PathToRecognise& path) const override {
    if (path.is_list || path.is_folder || !path.path.ends_with(".csv")) {
      return MatchConfidence::kNone;
    }
    if (isManifest(path.path)) {
      return MatchConfidence::kCertain;
    }
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: this table lists no images, or it lists predictions; a dataset "
                            "needs the columns path and label (csv:FILE takes any such table)",
                            path.path));
  }
  [[nodiscard]] std::vector<std::string> files(const std::string& location) const override {
    return {location};
  }
  [[nodiscard]] std::vector<SourcePart> parts(const DatasetSpec& spec) const override {
    // Image ids are hashes of the paths relative to the table's folder.
    return {{fs::path(canonicalPath(spec.location)).parent_path().string()}};
  }
  [[nodiscard]] Expected<DatasetPtr> open(const DatasetSpec& spec,
                                          RunContext& context) const override {
    return openCsv(spec, context);
  }
};

}  // namespace

std::shared_ptr<const DatasetKind> csvKind() {
  static const auto kind = std::make_shared<const CsvKind>();
  return kind;
}

}  // namespace dubito
