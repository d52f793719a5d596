// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged label files: each is read or refused in one line.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/core/io/mutate.h"
#include "tests/core/review/formats/labels.h"
#include "tests/support/matchers.h"

namespace dubito {
namespace {

constexpr std::uint32_t kMutations = 400;

/// A format and a file of it.
struct LabelFile {
  std::string key;
  std::string source;  ///< below tests/data/labels; empty: exported
};

class MutatedLabels : public testing::TestWithParam<LabelFile> {
 protected:
  void SetUp() override {
    if (GetParam().source.empty()) {
      (void)test::writeLabels(GetParam().key, test::exampleLabels(), path_);
      good_ = test::readBytes(path_);
    } else {
      good_ = test::readBytes(test::labelFile(GetParam().source));
    }
  }

  /// True if the file with these bytes is read.
  bool readsSoundly(const std::string& bytes) {
    test::writeBytes(path_, bytes);
    RunContext context;
    const auto read = importLabels(test::labelFormat(GetParam().key), path_, {}, context);
    if (!read) {
      const std::string& message = read.error().message;
      EXPECT_THAT(message, HasSubstr(path_));
      EXPECT_TRUE(std::ranges::none_of(message, [](char c) {
        return (c >= 0 && c < ' ') || c == '\x7F';
      })) << message;
      EXPECT_LT(message.size(), 1000U) << message;
      return false;
    }
    const ClassNames names(read->table.classes);
    for (const LabelRow& row : read->table.rows) {
      (void)names.text(row.class_id);  // throws for an unknown class
      (void)names.text(row.previous_class);
    }
    for (const LabelNote& note : read->notes) {
      EXPECT_GT(note.count, 0);
      EXPECT_TRUE(note.entries.empty() ||
                  static_cast<std::int64_t>(note.entries.size()) == note.count);
      EXPECT_EQ(toText(note).find('\n'), std::string::npos);
    }
    return true;
  }

  test::TempDir dir_;
  std::string path_ = dir_.file("labels");
  std::string good_;
};

TEST_P(MutatedLabels, AreReadOrRefused) {
  ASSERT_TRUE(readsSoundly(good_));
  int refused = 0;
  for (std::uint32_t seed = 0; seed < kMutations; ++seed) {
    SCOPED_TRACE(testing::Message() << "mutation " << seed);
    refused += readsSoundly(test::mutate(good_, seed)) ? 0 : 1;
    if (HasFailure()) {
      return;
    }
  }
  EXPECT_GT(refused, 5);
}

TEST_P(MutatedLabels, CutShortAreReadOrRefused) {
  const std::size_t steps = std::min<std::size_t>(good_.size(), 200);
  for (std::size_t i = 0; i < steps; ++i) {
    SCOPED_TRACE(i);
    (void)readsSoundly(good_.substr(0, good_.size() * i / steps));
    if (HasFailure()) {
      return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(LabelFormats, MutatedLabels,
                         testing::Values(LabelFile{"csv", ""}, LabelFile{"jsonl", ""},
                                         LabelFile{"label-studio", ""}, LabelFile{"cvat", ""},
                                         LabelFile{"fiftyone", ""}, LabelFile{"coco", ""},
                                         LabelFile{"imagefolder", ""},
                                         LabelFile{"label-studio", "label-studio/tasks.json"},
                                         LabelFile{"cvat", "cvat/annotations.xml"},
                                         LabelFile{"fiftyone", "fiftyone/samples.json"},
                                         LabelFile{"labelme", "labelme/0001.json"}),
                         [](const auto& each) {
                           std::string name =
                               each.param.key +
                               (each.param.source.empty() ? "_exported" : "_of_tool");
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace dubito
