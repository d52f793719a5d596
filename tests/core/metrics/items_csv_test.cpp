// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/items_csv.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include "core/io/csv.h"
#include "core/io/prediction_file.h"
#include "core/io/run_summary.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

/// Four items of three classes, one of them without a label.
dubito::Run sampleRun() {
  dubito::Run run;
  run.logits = Array<float>::fromVector(
      {4, 3}, {0.0F, 1.0F, 2.0F, 90.0F, 0.0F, 1.0F, 0.5F, 0.25F, 0.125F, -1.0F, 3.0F, 0.0F});
  Array<float> probs = Array<float>::zeros({4, 3});
  run.labels = Array<std::int64_t>::fromVector({2, 0, -1, 0});
  run.ids = Array<std::int64_t>::fromVector({40, 7, 1LL << 60, 3});
  fillFromLogits(run, RunContext());
  for (std::int64_t i = 0; i < 4; ++i) {
    double sum = 0.0;
    for (const float z : std::get<Array<float>>(*run.logits).row(i)) {
      sum += std::exp(double{z});
    }
    std::ranges::transform(std::get<Array<float>>(*run.logits).row(i), probs.mutableRow(i).begin(),
                           [&](float z) { return static_cast<float>(std::exp(double{z}) / sum); });
  }
  run.probs = probs;
  run.meta.class_names = {"2", "a, \"b\"", "0"};
  run.mutual_information = Array<double>::fromVector({0.5, NAN, 1.0 / 3.0, 0.0});
  return run;
}

Status write(const dubito::Run& run, const std::vector<std::int64_t>& rows, const std::string& path,
             const ItemPath& path_of = {}) {
  RunContext context;
  return writeItemsCsv(run, rows, path_of, path, context);
}

TEST(ItemsCsv, IsReadBackAsTheSameItems) {
  const test::TempDir dir;
  const dubito::Run run = sampleRun();
  const std::vector<std::int64_t> rows{3, 0, 1};
  ASSERT_TRUE(write(run, rows, dir.file("items.csv")));
  RunContext context;
  const auto back = openPredictions(dir.file("items.csv"), context);
  ASSERT_OK(back);
  ASSERT_EQ(back->itemCount(), 3);
  EXPECT_EQ(back->meta.class_names, run.meta.class_names);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = static_cast<std::int64_t>(i);
    EXPECT_EQ(back->ids.data()[row], run.ids.data()[rows[i]]);
    EXPECT_EQ(back->labels.data()[row], run.labels.data()[rows[i]]);
    EXPECT_EQ(back->predictions.data()[row], run.predictions.data()[rows[i]]);
    for (std::int64_t k = 0; k < 3; ++k) {
      EXPECT_EQ(back->prob(row, k), run.prob(rows[i], k));
    }
  }
}

TEST(ItemsCsv, HasAColumnForEverythingKnown) {
  const test::TempDir dir;
  const dubito::Run run = sampleRun();
  const auto path_of = [](std::int64_t row) {
    return "photos, new/" + std::to_string(row) + ".png";
  };
  ASSERT_TRUE(write(run, {2, 1}, dir.file("items.csv"), path_of));
  auto csv = CsvReader::open(dir.file("items.csv"));
  ASSERT_TRUE(csv);
  EXPECT_EQ(csv->header(), (std::vector<std::string>{
                               "id", "path", "label", "prediction", "label_index",
                               "prediction_index", "confidence", "log_rest", "margin", "entropy",
                               "mutual_information", "prob_2", "prob_a, \"b\"", "prob_0"}));
  std::vector<std::string_view> fields;
  ASSERT_TRUE(csv->next(fields).value_or(false));
  EXPECT_EQ(fields[0], "1152921504606846976");
  EXPECT_EQ(fields[1], "photos, new/2.png");
  EXPECT_EQ(fields[2], "");
  EXPECT_EQ(fields[3], "2");
  EXPECT_EQ(fields[5], "0");
  EXPECT_EQ(std::stod(std::string(fields[10])), 1.0 / 3.0);
  ASSERT_TRUE(csv->next(fields).value_or(false));
  EXPECT_EQ(fields[6], "1");
  EXPECT_EQ(std::stod(std::string(fields[7])), run.log_rest->data()[1]);
  EXPECT_EQ(fields[10], "");
  EXPECT_FALSE(csv->next(fields).value_or(true));
}

TEST(ItemsCsv, HoldsWhatConfidencesAloneAllow) {
  const test::TempDir dir;
  dubito::Run run = sampleRun();
  run.probs.reset();
  run.logits.reset();
  run.meta.class_names.clear();
  ASSERT_TRUE(write(run, {0, 2}, dir.file("items.csv")));
  RunContext context;
  const auto back = openPredictions(dir.file("items.csv"), context);
  ASSERT_OK(back);
  EXPECT_EQ(back->classCount(), 0);
  EXPECT_EQ(back->confidence.data()[1], run.confidence.data()[2]);
  EXPECT_EQ(back->labels.data()[1], -1);
}

TEST(ItemsCsv, RefusesRowsThatAreNotThereAndStopsWhenCancelled) {
  const test::TempDir dir;
  const dubito::Run run = sampleRun();
  EXPECT_THROW(static_cast<void>(write(run, {4}, dir.file("items.csv"))), std::out_of_range);
  RunContext context;
  context.control()->requestCancel();
  const std::vector<std::int64_t> rows(5000, 0);
  const Status written = writeItemsCsv(run, rows, {}, dir.file("items.csv"), context);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::kCancelled);
  EXPECT_FALSE(std::filesystem::exists(dir.file("items.csv")));
}

}  // namespace
}  // namespace dubito
