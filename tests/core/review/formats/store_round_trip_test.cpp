// SPDX-License-Identifier: GPL-3.0-or-later
// The import of an export gives the same labels, in every format and with odd names of classes.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <random>

#include "core/review/formats/match_rows.h"
#include "core/review/formats/store_labels.h"
#include "tests/core/review/formats/labels.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kNames{
    "cat",
    "\"dog\"",
    "it's, a; comma",
    "a/b",
    "a\\b",
    "..",
    ".hidden",
    "\xC3\xA4\xE4\xB8\xAD\xF0\x9F\x90\xB1",
    "7",
    "007",
    "-1",
    "0.5",
    "=SUM(A1)",
    "+1",
    "@x",
    "-x",
    " spaces ",
    "two\twords",
    "<b>&amp;</b>",
    "%2F",
    "100%",
    "[\"cat\"]",
    "{\"choices\": [\"cat\"]}",
    "null",
    "true",
    "images",
    "train",
    "labels",
    "#17",
    "'quoted'",
    std::string(200, 'x'),
};

class StoreRoundTrip : public testing::TestWithParam<std::string> {};

/// Labels of the items of a store by name, as a seed decides.
std::map<std::int64_t, std::string> namesOfLabels(LabelStore& store) {
  const auto classes = store.classes();
  const auto labels = store.labels();
  EXPECT_OK(classes);
  EXPECT_OK(labels);
  std::map<std::int64_t, std::string> names;
  for (const PresentLabel& label : *labels) {
    names.emplace(label.item,
                  label.class_id ? findClass(*classes, *label.class_id)->name : "no class");
  }
  return names;
}

TEST_P(StoreRoundTrip, KeepsTheLabelOfEveryItem) {
  const LabelFormat& format = test::labelFormat(GetParam());
  for (std::uint32_t seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(seed);
    const test::TempDir dir;
    std::mt19937 random(seed);
    const auto before = LabelStore::open(dir.file("before.labels"), StoreMode::kOpenOrCreate);
    ASSERT_OK(before);
    // Some of the names, in another order each time.
    std::vector<std::string> names = kNames;
    std::ranges::shuffle(names, random);
    names.resize(seed == 0 ? names.size() : 5 + seed);
    ASSERT_OK((*before)->belongTo({.name = "x", .spec = "", .fingerprint = ""}, names));
    std::vector<std::int64_t> ids;
    std::vector<std::string> paths;
    std::vector<Decision> decisions;
    for (std::size_t i = 0; i < 3 * names.size(); ++i) {
      ids.push_back(static_cast<std::int64_t>(1000 + i));
      paths.push_back((i % 3 == 0   ? "cat/"
                       : i % 3 == 1 ? "a b/"
                                    : "") +
                      std::to_string(i) + (i % 2 == 0 ? ".png" : ".JPG"));
      const fs::path image = dir.path() / "images" / paths.back();
      fs::create_directories(image.parent_path());
      test::writeBytes(image, "image");
      Decision decision;
      decision.item = ids.back();
      decision.item_name = paths.back();
      decision.class_id = static_cast<std::int64_t>(random() % names.size());
      decision.action = LabelAction::kCorrect;
      decision.annotator = "ann";
      decisions.push_back(decision);
    }
    ASSERT_OK((*before)->decide(decisions));
    const auto table = labelTable(**before);
    ASSERT_OK(table);
    LabelExportOptions options;
    options.images = dir.file("images");
    const std::string path = dir.file("labels") + format.ending;
    (void)test::writeLabels(GetParam(), *table, path, options);

    const LabelImport read = test::readLabels(GetParam(), path);
    const RowMatches matches = matchRows(read.table, ids, paths);
    EXPECT_THAT(matches.notes(), testing::IsEmpty());
    const auto after = LabelStore::open(dir.file("after.labels"), StoreMode::kOpenOrCreate);
    ASSERT_OK(after);
    ASSERT_OK((*after)->belongTo({.name = "x", .spec = "", .fingerprint = ""}, names));
    const auto classes = (*after)->classes();
    ASSERT_OK(classes);
    EXPECT_THAT(missingClasses(read.table, *classes), testing::IsEmpty());
    const ImportedDecisions imported =
        decisionsOf(read.table, matches.items, *classes, {}, {.annotator = "ann"});
    EXPECT_THAT(test::texts(imported.notes), testing::IsEmpty());
    ASSERT_OK((*after)->decide(imported.decisions));
    EXPECT_EQ(namesOfLabels(**after), namesOfLabels(**before));
  }
}

INSTANTIATE_TEST_SUITE_P(LabelFormats, StoreRoundTrip, testing::ValuesIn(test::formatKeys()),
                         test::formatTestName);

}  // namespace
}  // namespace dubito
