// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/run_part.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "core/io/npz_file.h"
#include "core/io/parts_folder.h"
#include "core/io/run_file.h"
#include "core/io/run_summary.h"
#include "tests/core/io/mutate.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kClasses = 3;
constexpr std::int64_t kDraws = 2;

float probAt(std::int64_t item, std::int64_t k) {
  const float first = static_cast<float>(item % 50) / 100.0F;
  return k == 0 ? first : (1.0F - first) / 2.0F;
}

/// The items [begin, end) of a run that is the same however it is cut.
dubito::Run runOf(std::int64_t begin, std::int64_t end) {
  const std::int64_t n = end - begin;
  dubito::Run run;
  auto probs = Array<float>::zeros({n, kClasses});
  auto samples = Array<float>::zeros({kDraws, n, kClasses});
  std::vector<std::int64_t> ids(static_cast<std::size_t>(n));
  std::iota(ids.begin(), ids.end(), begin);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t k = 0; k < kClasses; ++k) {
      probs.mutableRow(i)[static_cast<std::size_t>(k)] = probAt(begin + i, k);
      for (std::int64_t t = 0; t < kDraws; ++t) {
        samples.mutableData()[(t * n + i) * kClasses + k] = probAt(begin + i + 13 * (t + 1), k);
      }
    }
  }
  run.probs = probs;
  run.samples = samples;
  run.logit_mean = probs;
  run.logit_var = probs;
  auto alpha = Array<double>::zeros({n, kClasses});
  std::ranges::transform(probs.values(), alpha.mutableData(),
                         [](float prob) { return double{prob} + 1.0; });
  run.alpha = alpha;
  std::vector<std::int32_t> numbers(static_cast<std::size_t>(n));
  std::iota(numbers.begin(), numbers.end(), static_cast<std::int32_t>(begin));
  run.others = {{"numbers", kPerItem, Array<std::int32_t>::fromVector(std::move(numbers))},
                {"table", RunAxes{RunAxis::kOther}, Array<float>::fromVector({2}, {7, 8})}};
  run.labels = Array<std::int64_t>::zeros({n});
  run.ids = Array<std::int64_t>::fromVector(std::move(ids));
  run.meta.method = "mc-dropout";
  fillFromProbs(run, RunContext());
  return run;
}

class RunPartFile : public testing::Test {
 protected:
  std::string writtenPart(std::int64_t begin, std::int64_t end) {
    const std::string path = folder_.file("part" + std::to_string(begin) + ".npz");
    const RunPart part{begin, end, runOf(begin, end), R"({"who":"test"})"};
    auto file = AtomicFile::create(path);
    EXPECT_TRUE(file && writePart(part, std::move(*file)));
    return path;
  }
  Status merge(const std::vector<std::string>& paths) {
    RunMeta meta;
    meta.method = "mc-dropout";
    auto file = AtomicFile::create(folder_.file("run.npz"));
    EXPECT_TRUE(file);
    return mergeParts(paths, meta, std::move(*file), context_);
  }

  test::TempDir folder_;
  RunContext context_;
};

TEST_F(RunPartFile, IsARunFileThatKnowsItsPlace) {
  const std::string path = writtenPart(10, 25);
  const auto part = readPart(path, context_);
  ASSERT_OK(part);
  EXPECT_EQ(part->begin, 10);
  EXPECT_EQ(part->end, 25);
  EXPECT_EQ(part->details, R"({"who":"test"})");
  const auto run = readRun(path, context_);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->itemCount(), 15);
}

TEST_F(RunPartFile, PartsMergeIntoTheBytesOfTheWhole) {
  const std::vector<std::string> paths{writtenPart(0, 7), writtenPart(7, 8), writtenPart(8, 40)};
  const Status merged = merge(paths);
  ASSERT_OK(merged);
  ASSERT_TRUE(writeRun(runOf(0, 40), folder_.file("whole.npz"), context_));
  EXPECT_EQ(test::readBytes(folder_.path() / "run.npz"),
            test::readBytes(folder_.path() / "whole.npz"));
  const auto checked = NpzFile::open(folder_.file("run.npz"));  // compares the checksums
  ASSERT_TRUE(checked);
  for (const std::string& name : checked->names()) {
    EXPECT_TRUE(name == "meta" || checked->read(name)) << name;
  }
}

TEST_F(RunPartFile, PartsOfAnotherShapeAreRefusedAndLeaveNoRun) {
  const std::string first = writtenPart(0, 7);
  dubito::Run other = runOf(7, 9);
  other.samples.reset();
  ASSERT_TRUE(writeRun(other, folder_.file("other.npz"), context_));
  const auto refused = merge({first, folder_.file("other.npz")});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("other.npz: its arrays differ from those of the "
                                                 "previous parts; delete it and resume"));
  EXPECT_THAT(refused.error().remedy.settings, testing::ElementsAre(setting("resume")));
  EXPECT_FALSE(fs::exists(folder_.path() / "run.npz"));
}

TEST_F(RunPartFile, ACancelledMergeLeavesNoRun) {
  const std::string path = writtenPart(0, 7);
  context_.on_progress = [this](const Progress& progress) {
    if (progress.stage == "writing") {
      context_.control()->requestCancel();
    }
  };
  const Status merged = merge({path});
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().code, ErrorCode::kCancelled);
  EXPECT_FALSE(fs::exists(folder_.path() / "run.npz"));
}

TEST_F(RunPartFile, EveryDamageIsNoticed) {
  const std::string path = writtenPart(0, 20);
  const std::string good = test::readBytes(path);
  int readable = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const std::string bytes = test::mutate(good, seed);
    test::writeBytes(path, bytes);
    const auto part = readPart(path, context_);
    if (part && bytes != good) {
      // What passes differs in nothing that is read: padding, dates, permissions.
      ++readable;
      EXPECT_EQ(part->end - part->begin, 20);
      EXPECT_EQ(part->run.prob(19, 0), probAt(19, 0));
    }
  }
  EXPECT_LT(readable, 60);
  test::writeBytes(path, good.substr(0, good.size() / 2));
  EXPECT_FALSE(readPart(path, context_));
  ASSERT_TRUE(writeRun(runOf(0, 5), path, context_));
  EXPECT_FALSE(readPart(path, context_)) << "a run, but no part of one";
}

TEST_F(RunPartFile, AFolderHasOneOwnerAndGoesWithTheLastPart) {
  const std::string path = folder_.file("run.npz");
  {
    auto parts = PartsFolder::claim(path);
    ASSERT_OK(parts);
    const auto second = PartsFolder::claim(path);
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error().message, HasSubstr(path + ": another program"));
    ASSERT_TRUE(parts->add({0, 5, runOf(0, 5)}));
    ASSERT_TRUE(parts->add({5, 9, runOf(5, 9)}));
    EXPECT_EQ(parts->partPaths(),
              (std::vector<std::string>{parts->pathOf(0, 5), parts->pathOf(5, 9)}));
  }
  ASSERT_TRUE(fs::exists(path + ".parts"));
  test::writeBytes(path + ".parts/.part-000.npz.12345678.tmp", "half");
  {
    const auto parts = PartsFolder::claim(path);
    ASSERT_TRUE(parts);
    EXPECT_EQ(parts->unfinished(), 1);
    EXPECT_EQ(parts->partPaths().size(), 2U);
    parts->removeParts();
  }
  EXPECT_TRUE(fs::is_empty(folder_.path()));
  EXPECT_FALSE(PartsFolder::claim(folder_.file("missing/run.npz")));
  test::writeBytes(folder_.path() / "run.npz.parts", "a file");
  const auto blocked = PartsFolder::claim(path);
  ASSERT_FALSE(blocked);
  EXPECT_THAT(blocked.error().message, HasSubstr("run.npz.parts: "));
}

TEST_F(RunPartFile, ALinkedRunIsWrittenBehindTheLink) {
  fs::create_directory(folder_.path() / "elsewhere");
  fs::create_symlink(folder_.path() / "elsewhere/real.npz", folder_.path() / "run.npz");
  const auto parts = PartsFolder::claim(folder_.file("run.npz"));
  ASSERT_TRUE(parts);
  auto file = parts->createRunFile();
  ASSERT_TRUE(file && writeRun(runOf(0, 5), std::move(*file), context_));
  EXPECT_TRUE(fs::is_symlink(folder_.path() / "run.npz"));
  EXPECT_TRUE(readRun(folder_.file("elsewhere/real.npz"), context_));
}

}  // namespace
}  // namespace dubito
