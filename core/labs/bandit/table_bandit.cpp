// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/labs/bandit/table_bandit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/base/in_quotes.h"
#include "core/io/csv.h"
#include "core/labs/data/csv_place.h"
#include "core/labs/random/keyed_random.h"

namespace dubito {
namespace {

void standardise(Array<double>& features) {
  const std::int64_t rows = features.extent(0);
  const std::int64_t columns = features.extent(1);
  for (std::int64_t c = 0; c < columns; ++c) {
    double* const values = features.mutableData() + c;
    double mean = 0.0;
    for (std::int64_t r = 0; r < rows; ++r) {
      mean += values[r * columns] / static_cast<double>(rows);
    }
    double variance = 0.0;
    for (std::int64_t r = 0; r < rows; ++r) {
      const double distance = values[r * columns] - mean;
      variance += distance * distance / static_cast<double>(rows);
    }
    const double std = std::sqrt(variance);
    // A constant column differs from its mean by rounding alone.
    const bool is_constant = !(std > 1e-12 * std::abs(mean));
    for (std::int64_t r = 0; r < rows; ++r) {
      double& value = values[r * columns];
      value = is_constant ? 0.0 : (value - mean) / std;
    }
  }
}

constexpr const char* kLabelRole = "label";
constexpr std::string_view kLabelOption = "label=";
/// Rows kept in memory before the selection, and distinct labels remembered while reading.
constexpr std::int64_t kMaxRowsRead = 1'000'000;

/// With the role "label", unless that is the last column.
Expected<CsvPlace> tablePlaceOf(const std::string& specification) {
  if (!specification.starts_with(kCsvScheme)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: unknown problem; use wheel, linear, agent or csv:FILE",
                            inQuotes(specification)));
  }
  const std::string rest = specification.substr(kCsvScheme.size());
  const std::size_t question = rest.rfind('?');
  CsvPlace place{rest.substr(0, question), {}};
  if (question != std::string::npos) {
    const std::string option = rest.substr(question + 1);
    if (!option.starts_with(kLabelOption)) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: unknown option {}; use csv:FILE?label=COLUMN", specification,
                              inQuotes(option)));
    }
    if (const std::string label = option.substr(kLabelOption.size()); !label.empty()) {
      place.columns[kLabelRole] = label;
    }
  }
  return place;
}

/// What is known of a table while it is read.
struct TableReading {
  std::size_t label = 0;              ///< column of the label
  std::vector<std::size_t> features;  ///< columns of numbers, as found in the first row
  std::vector<double> values;
  std::vector<std::string> labels;
  std::int64_t skipped = 0;
};

void findFeatures(const std::vector<std::string_view>& row, TableReading& reading) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i != reading.label && parseNumber(row[i])) {
      reading.features.push_back(i);
    }
  }
}

void addRow(const std::vector<std::string_view>& row, TableReading& reading) {
  std::vector<double> values;
  for (const std::size_t column : reading.features) {
    const auto value = parseNumber(row[column]);
    if (!value || !std::isfinite(*value)) {
      break;
    }
    values.push_back(*value);
  }
  const std::string_view label = trimmed(row[reading.label]);
  if (values.size() < reading.features.size() || label.empty()) {
    ++reading.skipped;
    return;
  }
  reading.values.insert(reading.values.end(), values.begin(), values.end());
  reading.labels.emplace_back(label);
}

/// Class names in the order of their numbers, or alphabetically if one of them is a word.
std::vector<std::string> classesOf(const std::vector<std::string>& labels) {
  std::vector<std::string> names = labels;
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  if (std::ranges::all_of(names,
                          [](const std::string& name) { return parseNumber(name).has_value(); })) {
    std::ranges::sort(names, {}, [](const std::string& name) { return *parseNumber(name); });
  }
  return names;
}

Expected<LabelledTable> tableOf(const TableReading& reading, const CsvReader& csv) {
  LabelledTable table;
  table.class_names = classesOf(reading.labels);
  const auto classes = std::ssize(table.class_names);
  const std::string& label_name = csv.header()[reading.label];
  if (classes < 2) {
    return fail(ErrorCode::kMalformed,
                fmt::format("{}: the column {} has {}, and a bandit needs two arms; name the "
                            "column of the classes",
                            csv.path(), inQuotes(label_name),
                            classes == 0 ? "no row with numbers" : "a single class"),
                {datasetSetting("label", "COLUMN")});
  }
  if (classes > kMaxBanditArms) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("{}: the column {} has {} classes, at most {} are possible; name "
                            "another column",
                            csv.path(), inQuotes(label_name), classes, kMaxBanditArms),
                {datasetSetting("label", "COLUMN")});
  }
  const std::int64_t rows = std::ssize(reading.labels);
  const std::int64_t stride = (rows + kMaxBanditRows - 1) / kMaxBanditRows;
  const std::size_t width = reading.features.size();
  std::vector<double> kept;
  for (std::int64_t row = 0; row < rows; row += stride) {
    const auto first = reading.values.begin() + row * std::ssize(reading.features);
    kept.insert(kept.end(), first, first + static_cast<std::ptrdiff_t>(width));
    const auto name =
        std::ranges::find(table.class_names, reading.labels[static_cast<std::size_t>(row)]);
    table.labels.push_back(name - table.class_names.begin());
  }
  table.features = Array<double>::fromVector(
      {std::ssize(table.labels), std::ssize(reading.features)}, std::move(kept));
  for (const std::size_t column : reading.features) {
    table.feature_names.push_back(csv.header()[column]);
  }
  if (reading.skipped > 0) {
    table.notes.push_back(fmt::format("{} {} with a missing number or label left out",
                                      reading.skipped, reading.skipped == 1 ? "row" : "rows"));
  }
  if (stride > 1) {
    table.notes.push_back(fmt::format("{} of {} rows are used: one in {}, in the order of the file",
                                      table.labels.size(), rows, stride));
  }
  return table;
}

}  // namespace

TableBandit::TableBandit(LabelledTable table) : table_(std::move(table)) {
  // A copy: arrays share memory.
  const auto values = table_.features.values();
  table_.features = Array<double>::fromVector(table_.features.shape(),
                                              std::vector<double>(values.begin(), values.end()));
  standardise(table_.features);
}

std::int64_t TableBandit::armCount() const {
  return static_cast<std::int64_t>(table_.class_names.size());
}

void TableBandit::play(std::uint64_t seed, std::uint32_t step, BanditRound& round) const {
  const std::int64_t rows = rowCount();
  const double share = KeyedRandom(seed, LabSite::kDataInputs).uniform(step);
  const std::int64_t row =
      std::min(static_cast<std::int64_t>(share * static_cast<double>(rows)), rows - 1);
  const auto features = table_.features.row(row);
  round.context.assign(features.begin(), features.end());
  round.expected.assign(table_.class_names.size(), 0.0);
  round.expected[static_cast<std::size_t>(table_.labels[static_cast<std::size_t>(row)])] = 1.0;
  round.rewards = round.expected;
}

std::optional<double> TableBandit::expectedUniformRegret() const {
  return 1.0 - 1.0 / static_cast<double>(armCount());
}

std::vector<std::string> TableBandit::planeNames() const {
  return contextSize() == 2 ? table_.feature_names : std::vector<std::string>{};
}

Expected<LabelledTable> readLabelledTable(const std::string& specification, RunContext& context) {
  const auto place = tablePlaceOf(specification);
  if (!place) {
    return failWith(place);
  }
  auto csv = CsvReader::open(place->path);
  if (!csv) {
    return failWith(csv);
  }
  const auto label = namedColumn(*csv, *place, kLabelRole);
  if (!label) {
    return failWith(label);
  }
  TableReading reading;
  reading.label = label->value_or(csv->header().size() - 1);
  std::int64_t rows = 0;
  const Status read = readRows(*csv, "Reading the table", context, [&](const auto& row) -> Status {
    if (rows++ == kMaxRowsRead) {
      return fail(
          ErrorCode::kUnsupported,
          fmt::format("{}: has more than {} rows; keep a part of them", csv->path(), kMaxRowsRead));
    }
    if (reading.features.empty()) {
      findFeatures(row, reading);
      if (std::ssize(reading.features) > kMaxBanditFeatures) {
        return fail(ErrorCode::kUnsupported,
                    fmt::format("{}: has {} columns of numbers, at most {} are possible; remove "
                                "some",
                                csv->path(), reading.features.size(), kMaxBanditFeatures));
      }
    }
    addRow(row, reading);
    return {};
  });
  if (!read) {
    return failWith(read);
  }
  if (reading.features.empty()) {
    return fail(
        ErrorCode::kMalformed,
        fmt::format("{}: no row has numbers besides the label; a context needs at least one "
                    "column of numbers",
                    csv->path()));
  }
  return tableOf(reading, *csv);
}

}  // namespace dubito
