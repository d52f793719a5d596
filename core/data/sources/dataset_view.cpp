// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/dataset_view.h"
#include "core/base/in_quotes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "core/data/sources/dataset_kinds.h"

namespace dubito {
namespace {

bool hidesLabels(Role role) {
  return role == Role::kOod || role == Role::kUnlabelled;
}

/// A class by name, or by number if no class has that name.
Expected<std::int64_t> classNumber(const Dataset& dataset, const std::string& text) {
  const std::vector<std::string>& names = dataset.info().class_names;
  const auto named = std::find(names.begin(), names.end(), text);
  if (named != names.end()) {
    return named - names.begin();
  }
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size() && number >= 0;
  if (is_number && (names.empty() || number < static_cast<std::int64_t>(names.size()))) {
    return number;
  }
  if (names.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: the class {} is not a number, and this dataset has no class "
                            "names; use numbers such as 0,1",
                            dataset.info().spec, inQuotes(text)),
                {datasetSetting("classes", "0,1")});
  }
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("{}: there is no class {}; the classes are {}", dataset.info().spec,
                          inQuotes(text), inQuotes(names)));
}

}  // namespace

DatasetView::DatasetView(DatasetPtr base, std::vector<std::int64_t> rows, DatasetInfo info)
    : base_(std::move(base)),
      count_(static_cast<std::int64_t>(rows.size())),
      info_(std::move(info)) {
  for (const std::int64_t row : rows) {
    if (row < 0 || row >= base_->size()) {
      throw std::out_of_range("DatasetView: row outside the dataset");
    }
  }
  for (const Attribute& attribute : base_->attributes()) {
    attributes_.push_back(attribute.rows(rows));
  }
  const bool hides = hidesLabels(info_.role);
  const auto breaks = std::ranges::adjacent_find(
      rows, [](std::int64_t row, std::int64_t next) { return next != row + 1; });
  if (breaks == rows.end()) {
    first_ = rows.empty() ? 0 : rows.front();
    labels_.assign(hides ? rows.size() : 0, -1);
    return;
  }
  ids_.reserve(rows.size());
  labels_.reserve(rows.size());
  for (const std::int64_t row : rows) {
    ids_.push_back(base_->ids()[static_cast<std::size_t>(row)]);
    labels_.push_back(hides ? -1 : base_->labels()[static_cast<std::size_t>(row)]);
  }
  rows_ = std::move(rows);
}

DatasetView::DatasetView(DatasetPtr base, DatasetInfo info)
    : base_(std::move(base)), count_(base_->size()), info_(std::move(info)) {
  const std::span<const Attribute> attributes = base_->attributes();
  attributes_.assign(attributes.begin(), attributes.end());
  labels_.assign(hidesLabels(info_.role) ? static_cast<std::size_t>(count_) : 0, -1);
}

DatasetView::DatasetView(const DatasetView& view, DatasetInfo info)
    : base_(view.base_),
      count_(view.count_),
      info_(std::move(info)),
      first_(view.first_),
      rows_(view.rows_),
      ids_(view.ids_),
      attributes_(view.attributes_) {
  if (hidesLabels(info_.role)) {
    labels_.assign(static_cast<std::size_t>(count_), -1);
    return;
  }
  labels_.reserve(rows_.size());
  for (const std::int64_t row : rows_) {
    labels_.push_back(base_->labels()[static_cast<std::size_t>(row)]);
  }
}

DatasetPtr withRole(DatasetPtr dataset, Role role) {
  DatasetInfo info = dataset->info();
  if (info.role == role) {
    return dataset;
  }
  info.role = role;
  if (Expected<DatasetSpec> spec = parseDatasetSpec(info.spec); spec && !info.spec.empty()) {
    if (const DatasetKind* const kind = findDatasetKind(spec->scheme)) {
      *spec = kind->independentOfRole(*std::move(spec));
    }
    spec->role = role;
    info.spec = toString(*spec);
  }
  if (const auto* const view = dynamic_cast<const DatasetView*>(dataset.get())) {
    return std::make_shared<const DatasetView>(*view, std::move(info));
  }
  return std::make_shared<const DatasetView>(std::move(dataset), std::move(info));
}

Expected<DatasetPtr> applyFilters(DatasetPtr base, const DatasetSpec& spec) {
  DatasetInfo info = base->info();
  info.spec = toString(spec);
  info.role = spec.role.value_or(info.role);
  info.name = spec.name.value_or(info.name);

  std::set<std::int64_t> classes;
  for (const std::string& text : spec.classes) {
    Expected<std::int64_t> number = classNumber(*base, text);
    if (!number) {
      return failWith(number);
    }
    classes.insert(*number);
  }
  std::vector<std::int64_t> rows = spec.items.value_or(ItemRange{}).positions(base->size());
  if (!classes.empty()) {
    std::erase_if(rows, [&](std::int64_t row) {
      return !classes.contains(base->labels()[static_cast<std::size_t>(row)]);
    });
  }
  if (spec.part && spec.part->count >= std::ssize(rows)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: {} items cannot be held out of {}; hold out fewer", info.spec,
                            spec.part->count, rows.size()),
                {datasetSetting("part")});
  }
  if (spec.part) {
    rows = spec.part->of(rows, base->ids());
  }
  if (rows.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: none of the {} items is selected; choose more items or classes",
                            info.spec, base->size()),
                {datasetSetting("items"), datasetSetting("classes")});
  }
  return std::make_shared<const DatasetView>(std::move(base), std::move(rows), std::move(info));
}

}  // namespace dubito
