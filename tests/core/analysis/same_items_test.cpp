// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/same_items.h"

#include <gtest/gtest.h>

#include "tests/core/analysis/sample_analysis.h"

namespace dubito::test {
namespace {

AnalysisPart partWith(std::vector<std::int64_t> ids, const std::string& spec,
                      const std::string& hash = {}) {
  Run run;
  run.ids = Array<std::int64_t>::fromVector(std::move(ids));
  run.meta.dataset_spec = spec;
  run.meta.dataset_hash = hash;
  AnalysisPart part;
  part.name = "part";
  part.rows_by_id = rowsByIds(run.ids);
  part.run = std::make_shared<const Run>(std::move(run));
  return part;
}

TEST(SameItem, RowsAreFoundByIdInAnyOrder) {
  const AnalysisPart ascending = partWith({2, 5, 9}, "npz:a");
  EXPECT_TRUE(ascending.rows_by_id.empty());
  EXPECT_EQ(rowOfId(ascending, 5), 1);
  EXPECT_EQ(rowOfId(ascending, 4), std::nullopt);
  EXPECT_EQ(rowOfId(ascending, 10), std::nullopt);
  const AnalysisPart mixed = partWith({70, -3, 41, 8}, "folder:a");
  EXPECT_EQ(mixed.rows_by_id, (std::vector<std::int64_t>{1, 3, 2, 0}));
  EXPECT_EQ(rowOfId(mixed, 70), 0);
  EXPECT_EQ(rowOfId(mixed, -3), 1);
  EXPECT_EQ(rowOfId(mixed, 8), 3);
  EXPECT_EQ(rowOfId(mixed, 9), std::nullopt);
  EXPECT_EQ(rowOfId(partWith({}, ""), 1), std::nullopt);
}

TEST(SameItem, WhichItemsAreChosenDoesNotChangeWhatAnIdMeans) {
  EXPECT_EQ(specOfItems("npz:a.npz?items=0:5&split=test&classes=1,2&name=few"),
            "npz:a.npz?split=test");
  EXPECT_EQ(specOfItems("npz:a.npz?items=0:5"), "npz:a.npz");
  EXPECT_EQ(specOfItems("idx:a"), "idx:a");
  const AnalysisPart all = partWith({1, 2, 3}, "npz:a", "11");
  EXPECT_TRUE(overSameDataset(all, partWith({2}, "npz:a?items=1:2", "22")));
  EXPECT_TRUE(overSameDataset(all, partWith({1, 2, 3}, "npz:copy", "11")));
  EXPECT_FALSE(overSameDataset(all, partWith({1, 2, 3}, "npz:b", "22")));
  // The same place, but other contents by now.
  EXPECT_FALSE(overSameDataset(all, partWith({1, 2, 3}, "npz:a", "22")));
  EXPECT_FALSE(overSameDataset(all, partWith({1, 2, 3}, "npz:a?corrupt=blur:3", "33")));
  EXPECT_TRUE(overSameDataset(all, partWith({1, 2, 3}, "npz:a")));
}

TEST(SameItem, AnItemIsFoundUnderAnotherRunInItsOwnPart) {
  const AnalysisPtr draws = sampleAnalysis();
  const AnalysisPtr plain = sampleAnalysisWithoutDraws();
  EXPECT_EQ(sameItem(*draws, {0, 17}, *plain), (ItemRef{0, 17}));
  EXPECT_EQ(sameItem(*plain, {0, 3}, *draws), (ItemRef{0, 3}));
  EXPECT_EQ(sameItem(*draws, {1, 5}, *draws), (ItemRef{1, 5}));
  // The other has no such OOD part.
  EXPECT_EQ(sameItem(*draws, {1, 5}, *plain), std::nullopt);
}

}  // namespace
}  // namespace dubito::test
