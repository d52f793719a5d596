// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/dataset_edit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/data/dataset_files.h"
#include "core/data/dataset_scheme.h"
#include "core/data/dataset_spec.h"

namespace dubito {
namespace {

FieldInfo infoOf(const std::string& key) {
  static const std::map<std::string, FieldInfo> known{
      {"labels",
       {.name = "labels",
        .label = "Labels",
        .help = "empty: the name of the subfolder; prefix:1: the first letter of the file name"}},
      {"split",
       {.name = "split", .label = "Split", .help = "train, val or test; empty: by the role"}},
      {"n", {.name = "n", .label = "Number", .help = "how many items are drawn"}},
      {"seed", {.name = "seed", .label = "Seed", .help = "another seed draws other items"}},
      {"noise", {.name = "noise", .label = "Noise", .help = "standard deviation of the noise"}},
      {"blobs", {.name = "blobs", .label = "Blobs", .help = "number of classes"}},
      {"characters",
       {.name = "characters",
        .label = "Characters",
        .help = "number of classes: the first of 0-9 and A-Z"}}};
  const auto found = known.find(key);
  return found == known.end() ? FieldInfo{.name = key, .label = key, .help = key} : found->second;
}

/// "cat,traffic light" of " cat , traffic light": names keep the spaces inside them.
std::string withoutOuterSpaces(const std::string& list) {
  std::string kept;
  std::size_t waiting = 0;  // spaces that count if a letter of the name follows
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
  if (spec->items) {
    const auto end = [](const std::optional<std::int64_t>& value) {
      return value ? std::to_string(*value) : std::string();
    };
    edit.items = end(spec->items->begin) + ":" + end(spec->items->end);
    edit.items += spec->items->step == 1 ? "" : ":" + std::to_string(spec->items->step);
  }
  if (const auto files = datasetFiles(text); spec->scheme == "idx" && files && files->size() == 2) {
    edit.location_ = files->front();
    edit.labels_file = files->back();
  }
  for (const std::string& key : extraKeysOf(spec->scheme)) {
    // Some of one kind belong to one of its members alone.
    if ((key == "blobs" && spec->location != "blobs") ||
        (key == "characters" && spec->location != "glyphs")) {
      continue;
    }
    const auto found = spec->extra.find(key);
    edit.extra[key] = found == spec->extra.end() ? "" : found->second;
  }
  return edit;
}

std::vector<Field> DatasetEdit::fields() {
  std::vector<Field> fields{
      {{.name = "name", .label = "Name", .help = "as lists, tables and plots show it"}, &name},
      {{.name = "role",
        .label = "Role",
        .help = "train: methods are fitted on it; calibration: temperatures and thresholds are "
                "fitted on it; test: it is evaluated; ood: the model knows none of its classes; "
                "unlabelled: its labels are ignored",
        .choices = {"train", "calibration", "test", "ood", "unlabelled"}},
       &role},
      {{.name = "items",
        .label = "Items",
        .help = "FIRST:END or FIRST:END:STEP, for example 0:1000, -100: or ::2; empty: all"},
       &items},
      {{.name = "classes",
        .label = "Classes",
        .help = "those to keep, by number or name, separated by commas; empty: all"},
       &classes}};
  if (scheme_ == "idx") {
    fields.push_back({{.name = "labels_file",
                       .label = "Labels file",
                       .help = "empty: looked for next to the images"},
                      &labels_file});
  }
  for (auto& [key, value] : extra) {
    fields.push_back({infoOf(key), &value});
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
  for (const auto& [key, value] : extra) {
    add(key, value);
  }
  add("items", items);
  const std::string kept = withoutOuterSpaces(classes);
  // A number alone would say how many classes a synthetic dataset has.
  add("classes", kept.empty() || kept.find(',') != std::string::npos ? kept : kept + ",");
  add("role", role);
  add("corrupt", corruption_);
  const std::string text = fmt::format(
      "{}{}{}{}?{}", scheme_, scheme_.empty() ? "" : ":", location_,
      scheme_ == "idx" && !labels_file.empty() ? "," + labels_file : "", fmt::join(options, "&"));
  const auto spec = parseDatasetSpec(text);
  return spec ? Expected<std::string>(toString(*spec)) : failWith(spec);
}

}  // namespace dubito
