// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/review/true_labels.h"

#include <gtest/gtest.h>

#include "core/io/npy.h"
#include "core/io/run_file.h"
#include "tests/core/metrics/test_runs.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using Labels = std::vector<std::int64_t>;

/// Four items with the ids 100 to 103, of three classes.
dubito::Run fourItems() {
  return test::randomRun(4, 3, 1.0, 1, true, false);
}

std::string refusal(const std::string& path) {
  RunContext context;
  const auto labels = readTrueLabels(path, fourItems(), context);
  EXPECT_FALSE(labels);
  return labels ? "" : labels.error().message;
}

TEST(TrueLabels, ComeFromAnArrayInTheOrderOfTheRun) {
  const test::TempDir folder;
  RunContext context;
  ASSERT_OK(writeNpy(folder.file("a.npy"), Array<std::int32_t>::fromVector({2, 0, -7, 1})));
  const auto labels = readTrueLabels(folder.file("a.npy"), fourItems(), context);
  ASSERT_OK(labels);
  EXPECT_EQ(*labels, (Labels{2, 0, -1, 1}));

  ASSERT_OK(writeNpy(folder.file("b.npy"), Array<std::int32_t>::fromVector({2, 0, 1})));
  EXPECT_THAT(refusal(folder.file("b.npy")), HasSubstr("has 3 labels for 4 items"));
  ASSERT_OK(writeNpy(folder.file("c.npy"), Array<std::int32_t>::fromVector({2, 0, 3, 1})));
  EXPECT_THAT(refusal(folder.file("c.npy")), HasSubstr("row 2 (counted from 0) has the label 3"));
  ASSERT_OK(writeNpy(folder.file("d.npy"), Array<std::int32_t>::fromVector({-1, -1, -1, -1})));
  EXPECT_THAT(refusal(folder.file("d.npy")), HasSubstr("no label for any item"));
  EXPECT_THAT(refusal(folder.file("none.npy")), HasSubstr("none.npy"));
}

TEST(TrueLabels, ComeFromATableByIds) {
  const test::TempDir folder;
  RunContext context;
  test::writeBytes(folder.file("a.csv"), "note,label,id\nx,1,103\n,2,100\n,,101\n,0,999\n");
  const auto labels = readTrueLabels(folder.file("a.csv"), fourItems(), context);
  ASSERT_OK(labels);
  EXPECT_EQ(*labels, (Labels{2, -1, -1, 1}));
  test::writeBytes(folder.file("b.csv"), "id,true_label\n101,0\n");
  EXPECT_EQ(readTrueLabels(folder.file("b.csv"), fourItems(), context).value(),
            (Labels{-1, 0, -1, -1}));

  test::writeBytes(folder.file("c.csv"), "id,class\n101,0\n");
  EXPECT_THAT(refusal(folder.file("c.csv")), HasSubstr("has no column label"));
  test::writeBytes(folder.file("d.csv"), "name,label\n101,0\n");
  EXPECT_THAT(refusal(folder.file("d.csv")), HasSubstr("has no column id"));
  test::writeBytes(folder.file("e.csv"), "id,label\n100,0\n101,cat\n");
  EXPECT_THAT(refusal(folder.file("e.csv")), HasSubstr("line 3) has the label 'cat'"));
  test::writeBytes(folder.file("f.csv"), "id,label\nseven,0\n");
  EXPECT_THAT(refusal(folder.file("f.csv")), HasSubstr("'seven' for an id"));
  test::writeBytes(folder.file("g.csv"), "id,label\n100,5\n");
  EXPECT_THAT(refusal(folder.file("g.csv")), HasSubstr("line 2) has the label 5"));
  test::writeBytes(folder.file("h.csv"), "id,label\n999,1\n");
  EXPECT_THAT(refusal(folder.file("h.csv")), HasSubstr("no label for any item"));
}

TEST(TrueLabels, MayBeNamesOrOneHot) {
  const test::TempDir folder;
  RunContext context;
  dubito::Run run = fourItems();
  run.meta.class_names = {"cat", "Red Fox", "owl"};
  test::writeBytes(folder.file("a.csv"), "id,label\n100,red_fox\n102,Owl\n103,cat\n");
  EXPECT_EQ(readTrueLabels(folder.file("a.csv"), run, context).value(), (Labels{1, -1, 2, 0}));
  ASSERT_OK(writeNpy(folder.file("b.npy"), Array<float>::fromVector({4, 3}, {0, 0, 1, 1, 0, 0,  //
                                                                             0, 1, 0, 0, 1, 0})));
  EXPECT_EQ(readTrueLabels(folder.file("b.npy"), run, context).value(), (Labels{2, 0, 1, 1}));
}

TEST(TrueLabels, ComeFromAnotherRunByIds) {
  const test::TempDir folder;
  RunContext context;
  dubito::Run other = fourItems();
  other.ids = Array<std::int64_t>::fromVector({103, 102, 101, 5});
  other.labels = Array<std::int64_t>::fromVector({0, -1, 2, 1});
  ASSERT_OK(writeRun(other, folder.file("run.npz"), context));
  const auto labels = readTrueLabels(folder.file("run.npz"), fourItems(), context);
  ASSERT_OK(labels);
  EXPECT_EQ(*labels, (Labels{-1, 2, -1, 0}));
}

}  // namespace
}  // namespace dubito
