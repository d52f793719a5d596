// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/dataset_edit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/data/sources/dataset_files.h"
#include "core/data/sources/dataset_kinds.h"

namespace dubito {
namespace {

/// " cat , traffic light" becomes "cat,traffic light": spaces inside names stay.
std::string withoutOuterSpaces(const std::string& list) {
  std::string kept;
  std::size_t waiting = 0;  // spaces to insert if another letter of the name follows
  for (const char letter : list) {
    if (letter == ' ') {
      ++waiting;
      continue;
    }
    const bool inside = letter != ',' && !kept.empty() && kept.back() != ',';
    kept.append(inside ? waiting : 0, ' ');
    kept += letter;
    waiting = 0;
  }
  return kept;
}

}  // namespace

Expected<DatasetEdit> DatasetEdit::of(const Dataset& dataset, const std::string& name) {
  const std::string& text = dataset.info().spec;
  const auto spec = parseDatasetSpec(text);
  if (!spec) {
    return failWith(spec);
  }
  DatasetEdit edit;
  edit.name = name;
  edit.role = toString(dataset.info().role);
  edit.scheme_ = spec->scheme;
  edit.location_ = spec->location;
  edit.classes = fmt::format("{}", fmt::join(spec->classes, ", "));
  if (spec->corruption) {
    edit.corruption_ = toString(*spec->corruption);
  }
  if (spec->part) {
    edit.part_ = toString(*spec->part);
  }
  if (spec->items) {
    const auto end = [](const std::optional<std::int64_t>& value) {
      return value ? std::to_string(*value) : std::string();
    };
    edit.items = end(spec->items->begin) + ":" + end(spec->items->end);
    edit.items += spec->items->step == 1 ? "" : ":" + std::to_string(spec->items->step);
  }
  if (edit.secondFile()) {
    if (const auto files = datasetFiles(text); files && files->size() == 2) {
      edit.location_ = files->front();
      edit.second_file = files->back();
    }
  }
  for (const DatasetOption& option : datasetOptions(spec->scheme)) {
    if (option.location.empty() || option.location == spec->location) {
      const auto found = spec->extra.find(option.info.name);
      edit.extra[option.info.name] = found == spec->extra.end() ? "" : found->second;
    }
  }
  return edit;
}

std::optional<FieldInfo> DatasetEdit::secondFile() const {
  const DatasetKind* const kind = findDatasetKind(scheme_);
  return kind == nullptr ? std::nullopt : kind->secondFile();
}

std::vector<Field> DatasetEdit::fields() {
  std::vector<Field> fields{
      {{.name = "name", .label = "Name", .help = "name in lists, tables and plots"}, &name},
      {{.name = "role",
        .label = "Role",
        .help = "train: for fitting methods; calibration: for fitting temperatures and thresholds; "
                "test: for evaluation; ood: none of its classes are known to the model; "
                "unlabelled: labels are ignored",
        .choices = {"train", "calibration", "test", "ood", "unlabelled"},
        .forms = {{.prefix = "train", .label = "train"},
                  {.prefix = "calibration", .label = "calibration"},
                  {.prefix = "test", .label = "test"},
                  {.prefix = "ood", .label = "OOD"},
                  {.prefix = "unlabelled", .label = "unlabelled"}}},
       &role},
      {{.name = "items",
        .label = "Items",
        .help = "FIRST:END or FIRST:END:STEP, for example 0:1000, -100: or ::2; empty: all"},
       &items},
      {{.name = "classes",
        .label = "Classes",
        .help = "classes to keep, by number or name, separated by commas; empty: all"},
       &classes}};
  if (const auto info = secondFile()) {
    fields.push_back({*info, &second_file});
  }
  const std::vector<DatasetOption> options = datasetOptions(scheme_);
  for (auto& [key, value] : extra) {
    const auto option = std::ranges::find(
        options, key, [](const DatasetOption& one) -> const std::string& { return one.info.name; });
    if (option != options.end()) {
      fields.push_back({option->info, &value});
    }
  }
  return fields;
}

Expected<std::string> DatasetEdit::specification() const {
  std::vector<std::string> options;
  const auto add = [&options](const std::string& key, std::string value) {
    if (!value.empty()) {
      options.push_back(key + "=" + value);
    }
  };
  for (const DatasetOption& option : datasetOptions(scheme_)) {
    if (const auto found = extra.find(option.info.name); found != extra.end()) {
      add(found->first, option.is_specification ? escapedSpec(found->second) : found->second);
    }
  }
  add("items", items);
  const std::string kept = withoutOuterSpaces(classes);
  // A single number would be read as the number of classes of a synthetic dataset.
  add("classes", kept.empty() || kept.find(',') != std::string::npos ? kept : kept + ",");
  add("part", part_);
  add("role", role);
  add("corrupt", corruption_);
  const std::string text =
      fmt::format("{}{}{}{}?{}", scheme_, scheme_.empty() ? "" : ":", location_,
                  second_file.empty() ? "" : "," + second_file, fmt::join(options, "&"));
  const auto spec = parseDatasetSpec(text);
  return spec ? Expected<std::string>(toString(*spec)) : failWith(spec);
}

}  // namespace dubito
