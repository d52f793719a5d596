// SPDX-License-Identifier: GPL-3.0-or-later
// A run that is written in parts is the run that is computed in memory, whatever interrupts it.
#include "core/predict/predict_to_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "core/io/parts_folder.h"
#include "core/io/run_file.h"
#include "tests/core/predict/eventful_dataset.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;
using test::EventfulDataset;
using test::loadFixture;
using test::madeImages;

constexpr std::int64_t kItems = 60;
constexpr std::int64_t kBatch = 4;

template <class T>
bool sameValues(const std::optional<Array<T>>& a, const std::optional<Array<T>>& b) {
  return a.has_value() == b.has_value() &&
         (!a || (a->shape() == b->shape() && std::ranges::equal(a->values(), b->values())));
}

std::string hashesOf(const RunMeta& meta) {
  std::ostringstream text;
  for (const MaskHash& mask : meta.mask_hashes) {
    text << mask.site << ' ' << mask.draw << ' ' << mask.hash << '\n';
  }
  return text.str();
}

std::string skippedOf(const RunMeta& meta) {
  std::string text;
  for (const SkippedItem& item : meta.skipped) {
    text += item.name + ": " + item.reason + "\n";
  }
  return text;
}

/// Bit for bit, all arrays and all of the metadata but the timings.
void expectSameRun(const Run& a, const Run& b) {
  EXPECT_TRUE(std::ranges::equal(a.ids.values(), b.ids.values()));
  EXPECT_TRUE(std::ranges::equal(a.labels.values(), b.labels.values()));
  EXPECT_TRUE(std::ranges::equal(a.predictions.values(), b.predictions.values()));
  EXPECT_TRUE(std::ranges::equal(a.confidence.values(), b.confidence.values()));
  EXPECT_TRUE(std::ranges::equal(std::get<Array<float>>(*a.probs).values(),
                                 std::get<Array<float>>(*b.probs).values()));
  EXPECT_TRUE(sameValues(a.entropy, b.entropy));
  EXPECT_TRUE(sameValues(a.expected_entropy, b.expected_entropy));
  EXPECT_TRUE(sameValues(a.mutual_information, b.mutual_information));
  EXPECT_TRUE(sameValues(a.variation_ratio, b.variation_ratio));
  EXPECT_TRUE(sameValues(a.variance, b.variance));
  ASSERT_EQ(a.logits.has_value(), b.logits.has_value());
  if (a.logits) {
    EXPECT_TRUE(std::ranges::equal(std::get<Array<float>>(*a.logits).values(),
                                   std::get<Array<float>>(*b.logits).values()));
  }
  EXPECT_TRUE(sameValues(a.log_rest, b.log_rest));
  EXPECT_TRUE(sameValues(a.samples, b.samples));
  EXPECT_EQ(a.meta.dataset_hash, b.meta.dataset_hash);
  EXPECT_EQ(hashesOf(a.meta), hashesOf(b.meta));
  EXPECT_EQ(skippedOf(a.meta), skippedOf(b.meta));
  EXPECT_EQ(a.meta.notes, b.meta.notes);
  EXPECT_EQ(a.meta.method_options, b.meta.method_options);
  EXPECT_EQ(a.meta.batch, b.meta.batch);
  EXPECT_EQ(a.meta.stopped_early, b.meta.stopped_early);
  for (const auto& [stage, seconds] : a.meta.timings) {
    EXPECT_TRUE(b.meta.timings.contains(stage)) << stage;
  }
}

class PredictToFile : public testing::TestWithParam<std::string> {
 protected:
  PredictToFile() {
    images_.breakItem(9);
    images_.breakItem(42);
    for (std::int64_t item = 24; item < 32; ++item) {
      images_.breakItem(item);  // two batches of which nothing can be read
    }
  }

  [[nodiscard]] MethodOptions method() const {
    return GetParam() == "map" ? MethodOptions(MapOptions{})
                               : MethodOptions(McDropoutOptions{.draws = 5});
  }
  [[nodiscard]] dubito::Run inMemory() {
    RunContext context = contextOf(7);
    auto run = predict(*model_, images_, method(), {.batch = kBatch}, context);
    EXPECT_OK(run);
    return *std::move(run);
  }
  static RunContext contextOf(std::uint64_t seed) {
    RunContext context;
    context.seed = seed;
    return context;
  }
  /// Parts of two batches or so.
  Expected<SavedRun> toFile(bool resume, RunContext context = contextOf(7)) {
    return predictToFile(*model_, images_, method(), {.batch = kBatch}, path_,
                         {.resume = resume, .part_bytes = 7 * bytesPerItem()}, context);
  }
  [[nodiscard]] std::int64_t bytesPerItem() const { return GetParam() == "map" ? 120 : 300; }
  [[nodiscard]] dubito::Run saved() {
    RunContext context;
    auto run = readRun(path_, context);
    EXPECT_OK(run);
    return *std::move(run);
  }
  /// A session that is cancelled when item `at` is read.
  void interruptAt(std::int64_t at, bool resume = false) {
    RunContext context = contextOf(7);
    images_.event_at = at;
    images_.event = [&context] { context.control()->requestCancel(); };
    const auto run = toFile(resume, context);
    images_.event_at = -1;
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().code, ErrorCode::kCancelled) << run.error().message;
    error_ = run.error();
  }
  [[nodiscard]] std::vector<fs::path> parts() const {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(path_ + ".parts")) {
      paths.push_back(entry.path());
    }
    std::ranges::sort(paths);
    return paths;
  }

  test::TempDir folder_;
  std::string path_ = folder_.file("run.npz");
  ModelPtr model_ = loadFixture("scripted.pt");
  EventfulDataset images_{madeImages(kItems, 28)};
  Error error_;
};

TEST_P(PredictToFile, PartsMakeTheSameRunAsMemory) {
  const auto run = toFile(false);
  ASSERT_OK(run);
  EXPECT_EQ(run->items, kItems - 10);
  EXPECT_EQ(run->resumed_items, 0);
  EXPECT_EQ(run->parts_ignored, 0);
  expectSameRun(saved(), inMemory());
  EXPECT_FALSE(fs::exists(path_ + ".parts"));
}

TEST_P(PredictToFile, ShortRunNeedsNoParts) {
  RunContext context = contextOf(7);
  bool parts_seen = false;
  context.on_progress = [&](const Progress& progress) {
    parts_seen = parts_seen || progress.stage.find("parts") != std::string::npos;
  };
  ASSERT_TRUE(predictToFile(*model_, images_, method(), {.batch = kBatch}, path_, {}, context));
  EXPECT_FALSE(parts_seen);
  expectSameRun(saved(), inMemory());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1);
}

TEST_P(PredictToFile, CancelledTwiceAndResumedIsTheSameRun) {
  interruptAt(37);
  EXPECT_THAT(error_.message, HasSubstr("36 of 60 items are saved in " + path_ + ".parts"));
  EXPECT_THAT(error_.message, HasSubstr("; continue from there"));
  EXPECT_THAT(error_.remedy.settings, testing::ElementsAre(setting("resume")));
  EXPECT_FALSE(fs::exists(path_));
  EXPECT_GE(parts().size(), 3U);
  interruptAt(50, true);
  const auto run = toFile(true);
  ASSERT_OK(run);
  EXPECT_EQ(run->resumed_items, 48 - 10);
  expectSameRun(saved(), inMemory());
  EXPECT_FALSE(fs::exists(path_ + ".parts"));
}

TEST_P(PredictToFile, CancelBeforeTheFirstBatchKeepsNothing) {
  interruptAt(2);
  EXPECT_THAT(error_.message, HasSubstr("nothing was saved"));
  EXPECT_EQ(error_.remedy, Remedy());
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_P(PredictToFile, DamagedAndHalfWrittenPartsAreComputedAgain) {
  interruptAt(57);
  const auto before = parts();
  ASSERT_GE(before.size(), 4U);
  std::string bytes = test::readBytes(before[1]);
  bytes[bytes.size() / 3] = static_cast<char>(bytes[bytes.size() / 3] ^ 0x10);
  test::writeBytes(before[1], bytes);
  test::writeBytes(before[2], test::readBytes(before[2]).substr(0, 500));
  test::writeBytes(path_ + ".parts/.part-x.npz.0a0b0c0d.tmp", "half");
  const auto run = toFile(true);
  ASSERT_OK(run);
  EXPECT_EQ(run->parts_ignored, 3);
  EXPECT_GT(run->resumed_items, 0);
  expectSameRun(saved(), inMemory());
  EXPECT_FALSE(fs::exists(path_ + ".parts"));
}

TEST_P(PredictToFile, WithoutResumeThePartsAreNotTouched) {
  interruptAt(40);
  const auto before = parts();
  const auto run = toFile(false);
  ASSERT_FALSE(run);
  EXPECT_THAT(run.error().message, HasSubstr(path_ + ".parts"));
  EXPECT_THAT(run.error().message, HasSubstr("; continue it, or delete this folder"));
  EXPECT_THAT(run.error().remedy.settings, testing::ElementsAre(setting("resume")));
  EXPECT_EQ(parts(), before);
}

TEST_P(PredictToFile, AnotherSeedModelOrDatasetIsRefusedByName) {
  interruptAt(40);
  const auto before = parts();
  const auto expectRefused = [&](const Expected<SavedRun>& run, const std::string& what) {
    ASSERT_FALSE(run) << what;
    EXPECT_THAT(run.error().message, HasSubstr(what));
    EXPECT_THAT(run.error().message, HasSubstr("delete this folder"));
    EXPECT_EQ(parts(), before);
  };
  expectRefused(toFile(true, contextOf(8)), "seed is 7, not 8");
  RunContext context = contextOf(7);
  expectRefused(predictToFile(*model_, images_, method(), {.batch = kBatch + 1}, path_,
                              {.resume = true}, context),
                "batch size is 4, not 5");
  expectRefused(predictToFile(*model_, images_, McDropoutOptions{.draws = 6}, {.batch = kBatch},
                              path_, {.resume = true}, context),
                GetParam() == "map" ? "method is map, not mc-dropout" : "option draws is 5, not 6");
  expectRefused(predictToFile(*loadFixture("traced_eval.pt"), images_, method(), {.batch = kBatch},
                              path_, {.resume = true}, context),
                "network");
  EventfulDataset relabelled = images_;
  relabelled.itemLabels()[55] = 0;
  expectRefused(predictToFile(*model_, relabelled, method(), {.batch = kBatch}, path_,
                              {.resume = true}, context),
                "items and labels");
  EventfulDataset repainted = images_;
  std::get<Image8>(repainted.samples()[0]).pixels.mutableData()[3] ^= 1;
  expectRefused(predictToFile(*model_, repainted, method(), {.batch = kBatch}, path_,
                              {.resume = true}, context),
                "the dataset has changed");
}

TEST_P(PredictToFile, StoppedEarlyGivesWhatIsDone) {
  for (const std::int64_t at : {6, 40}) {  // without parts and with them
    RunContext context = contextOf(7);
    images_.event_at = at;
    images_.event = [&context] { context.control()->requestStopEarly(); };
    const auto run = toFile(false, context);
    ASSERT_OK(run);
    EXPECT_TRUE(run->meta.stopped_early);
    const dubito::Run written = saved();
    EXPECT_TRUE(written.meta.stopped_early);
    EXPECT_LT(written.itemCount(), kItems - 10);
    const dubito::Run whole = inMemory();
    EXPECT_TRUE(
        std::ranges::equal(written.ids.values(), whole.ids.slice(0, written.itemCount()).values()));
    EXPECT_FALSE(fs::exists(path_ + ".parts"));
  }
}

TEST_P(PredictToFile, OneProgramAtATimeAndOthersFilesAreLeft) {
  const auto other = PartsFolder::claim(path_);
  ASSERT_TRUE(other);
  const auto refused = toFile(false);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("another program"));
  {
    const auto second = PartsFolder::claim(folder_.file("second.npz"));
    ASSERT_TRUE(second);
    fs::create_directory(folder_.path() / "third.npz.parts");
  }
  EXPECT_FALSE(fs::exists(folder_.path() / "second.npz.parts"));
  path_ = folder_.file("third.npz");
  test::writeBytes(path_ + ".parts/notes.txt", "mine");
  ASSERT_TRUE(toFile(false));
  EXPECT_EQ(parts(), std::vector<fs::path>{path_ + ".parts/notes.txt"});
}

TEST_P(PredictToFile, AnOlderRunStaysUntilTheNewOneIsThere) {
  test::writeBytes(path_, "older");
  interruptAt(40);
  EXPECT_EQ(test::readBytes(path_), "older");
  ASSERT_TRUE(toFile(true));
  expectSameRun(saved(), inMemory());
}

INSTANTIATE_TEST_SUITE_P(Methods, PredictToFile, testing::Values("map", "mcdropout"));

}  // namespace
}  // namespace dubito
