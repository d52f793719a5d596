// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/review/formats/labels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "tests/support/matchers.h"
#include "tests/support/shared_data.h"

namespace dubito::test {

namespace fs = std::filesystem;

LabelTable exampleLabels() {
  LabelTable table;
  table.classes = {{.id = 0, .name = "cat", .colour = "#0072b2", .key = "c"},
                   {.id = 1, .name = "dog, \"big\""},
                   {.id = 2, .name = "kitten", .merged_into = 0},
                   {.id = 3, .name = "bird"},
                   {.id = 7, .name = "../a/b"}};
  LabelRow first;
  first.item = 9000000000000000001;
  first.path = "sub/0001.png";
  first.class_id = 0;
  first.action = LabelAction::kAccept;
  first.origin = LabelOrigin::kPerson;
  first.previous_class = 0;
  first.previous_origin = LabelOrigin::kModel;
  first.annotator = "ann@example.org";
  first.time_ms = 1763913600250;
  first.probs = {0.625F, 0.25F, 0.0F, 0.125F};
  first.content_hash = "00ff";
  first.spent_ms = 1500;
  first.prediction_shown = false;
  first.queue = "entropy";
  first.run = "run.npz map";
  first.sequence = 2;
  first.step = 2;
  LabelRow earlier = first;
  earlier.present = false;
  earlier.sequence = 1;
  earlier.step = 1;
  earlier.undone = true;
  earlier.class_id = 1;
  earlier.action = LabelAction::kCorrect;
  LabelRow merged;
  merged.item = 2;
  merged.path = "sub/dir, with \"commas\"/0002.png";
  merged.class_id = 2;
  merged.action = LabelAction::kCorrect;
  merged.origin = LabelOrigin::kPerson;
  merged.previous_class = 1;
  merged.previous_origin = LabelOrigin::kDataset;
  merged.annotator = "O'Neil, B.";
  merged.time_ms = 1763913601000;
  LabelRow of_model;
  of_model.item = 3;
  of_model.path = "\xC3\xA4 b/0003.png";
  of_model.class_id = 1;
  of_model.action = LabelAction::kAccept;
  of_model.origin = LabelOrigin::kModel;
  of_model.probability = 0.1F;
  of_model.time_ms = 1;
  LabelRow strange;
  strange.item = 4;
  strange.path = "../outside/.hidden 100%25.png";
  strange.class_id = 7;
  strange.action = LabelAction::kCorrect;
  strange.origin = LabelOrigin::kPerson;
  LabelRow undecided;
  undecided.item = 5;
  undecided.path = "missing.png";
  undecided.action = LabelAction::kAmbiguous;
  undecided.origin = LabelOrigin::kPerson;
  undecided.annotator = "ann@example.org";
  table.rows = {earlier, first, merged, of_model, strange, undecided};
  return table;
}

std::vector<std::string> formatKeys() {
  return {"csv",  "jsonl",    "folders", "labelme",    "label-studio",
          "cvat", "fiftyone", "coco",    "imagefolder"};
}

std::string formatTestName(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::erase(name, '-');
  return name;
}

void writeExampleImages(const TempDir& dir, const LabelTable& table) {
  for (const LabelRow& row : table.rows) {
    if (row.path != "missing.png") {
      const fs::path file = dir.path() / "images" / row.path;
      fs::create_directories(file.parent_path());
      writeBytes(file, "image " + row.path);
    }
  }
}

const LabelFormat& labelFormat(const std::string& key) {
  const LabelFormat* const format = findLabelFormat(key);
  if (format == nullptr) {
    throw std::invalid_argument("there is no format " + key);
  }
  return *format;
}

LabelExport writeLabels(const std::string& key, const LabelTable& table, const std::string& path,
                        const LabelExportOptions& options) {
  RunContext context;
  auto result = exportLabels(labelFormat(key), table, path, options, context);
  EXPECT_OK(result);
  return result.value_or(LabelExport());
}

LabelImport readLabels(const std::string& key, const std::string& path,
                       const LabelImportOptions& options) {
  RunContext context;
  auto result = importLabels(labelFormat(key), path, options, context);
  EXPECT_OK(result);
  return result.value_or(LabelImport());
}

std::string readError(const std::string& key, const std::string& path, ErrorCode code) {
  RunContext context;
  const auto result = importLabels(labelFormat(key), path, {}, context);
  if (result) {
    ADD_FAILURE() << key << " was read from " << path;
    return {};
  }
  EXPECT_EQ(result.error().code, code) << result.error().message;
  EXPECT_THAT(result.error().message, HasSubstr(path));
  EXPECT_THAT(result.error().message, HasSubstr("; "));
  EXPECT_EQ(result.error().message.find('\n'), std::string::npos) << result.error().message;
  return result.error().message;
}

std::string keptText(const LabelRow& row, const LabelTable& table, const LabelParts& keeps) {
  const ClassNames names(table.classes);
  std::string text;
  const auto add = [&](LabelPart part, const std::string& value) {
    if (keeps.contains(part)) {
      text += fmt::format("{}={} | ", nameOf(part), value);
    }
  };
  const auto number = [](const auto& value) {
    return value ? fmt::format("{}", *value) : std::string("-");
  };
  const auto key = [](const auto& value) { return value ? keyOf(*value) : std::string_view("-"); };
  add(LabelPart::kItemIds, number(row.item));
  add(LabelPart::kPaths, row.path);
  add(LabelPart::kClasses, row.class_id ? "[" + names.text(row.class_id) + "]" : "-");
  add(LabelPart::kActions, std::string(key(row.action)));
  add(LabelPart::kAnnotators, row.annotator);
  add(LabelPart::kTimes, fmt::format("{}", row.time_ms));
  add(LabelPart::kOrigins, std::string(key(row.origin)));
  add(LabelPart::kPrevious,
      fmt::format("{} {}", names.text(row.previous_class), key(row.previous_origin)));
  add(LabelPart::kProbabilities, number(classProbability(row, names)));
  add(LabelPart::kProbVectors, fmt::format("{}", fmt::join(row.probs, " ")));
  add(LabelPart::kCircumstances, fmt::format("{} {} {} {} {}", row.content_hash, row.spent_ms,
                                             number(row.prediction_shown), row.queue, row.run));
  return text;
}

std::vector<std::string> pathsAndClasses(const LabelTable& table) {
  const ClassNames names(table.classes);
  std::vector<std::string> lines;
  for (const std::size_t i : presentRows(table)) {
    lines.push_back(table.rows[i].path + ' ' + names.text(table.rows[i].class_id));
  }
  return lines;
}

std::vector<std::string> texts(const std::vector<LabelNote>& notes) {
  std::vector<std::string> lines;
  for (const LabelNote& note : notes) {
    lines.push_back(toText(note));
  }
  return lines;
}

std::vector<std::string> everythingIn(const fs::path& folder) {
  std::vector<std::string> entries;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    entries.push_back(entry.path().lexically_relative(folder).string());
  }
  std::ranges::sort(entries);
  return entries;
}

std::string labelFile(const std::string& name) {
  return (sourceDir() / "tests" / "data" / "labels" / name).string();
}

}  // namespace dubito::test
