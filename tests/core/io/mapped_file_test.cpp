// SPDX-License-Identifier: GPL-3.0-or-later
// A file that another program changes while it is mapped.
#include "core/io/mapped_file.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>
#include <thread>

#include "core/io/npz_writer.h"
#include "core/io/prediction_file.h"
#include "core/io/run_file.h"
#include "core/io/run_summary.h"
#include "tests/support/matchers.h"
#include "tests/support/sanitized.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBytes = 1 << 20;

class ChangedFile : public testing::Test {
 protected:
  ChangedFile() { test::writeBytes(path_, std::string(kBytes, 'x')); }

  [[nodiscard]] std::shared_ptr<const MappedFile> open() const {
    auto file = MappedFile::open(path_);
    EXPECT_TRUE(file);
    return *file;
  }

  test::TempDir folder_;
  std::string path_ = folder_.file("data.bin");
};

std::int64_t sumOf(ByteSpan bytes) {
  return std::accumulate(
      bytes.begin(), bytes.end(), std::int64_t{0},
      [](std::int64_t sum, std::byte byte) { return sum + std::to_integer<std::int64_t>(byte); });
}

TEST_F(ChangedFile, UntouchedIsUnchanged) {
  const auto file = open();
  EXPECT_EQ(sumOf(file->bytes()), static_cast<std::int64_t>(kBytes) * 'x');
  EXPECT_TRUE(file->unchanged());
  EXPECT_TRUE(mappedFilesUnchanged());
}

TEST_F(ChangedFile, ShortenedInPlaceReadsZerosAndSaysSo) {
  const auto file = open();
  const auto intact = [this] {
    test::writeBytes(folder_.path() / "other.bin", std::string(kBytes, 'y'));
    return *MappedFile::open(folder_.file("other.bin"));
  }();
  fs::resize_file(path_, 5000);
  // Two threads fault in the same mapping at once.
  std::int64_t other_sum = 0;
  std::jthread other([&] { other_sum = sumOf(file->bytes()); });
  EXPECT_EQ(sumOf(file->bytes()), 5000 * std::int64_t{'x'});
  other.join();
  EXPECT_EQ(other_sum, 5000 * std::int64_t{'x'});
  const Status status = file->unchanged();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kReadFailed);
  EXPECT_THAT(status.error().message, HasSubstr(path_));
  EXPECT_FALSE(mappedFilesUnchanged());
  EXPECT_TRUE(intact->unchanged());
  EXPECT_EQ(sumOf(intact->bytes()), static_cast<std::int64_t>(kBytes) * 'y');
}

TEST_F(ChangedFile, ShortenedAndThenRemovedIsStillNoticed) {
  const auto file = open();
  fs::resize_file(path_, 0);
  EXPECT_EQ(sumOf(file->bytes()), 0);
  fs::remove(path_);
  EXPECT_FALSE(file->unchanged());
}

TEST_F(ChangedFile, OverwrittenOrAppendedInPlaceIsNoticed) {
  const auto file = open();
  {
    std::fstream stream(path_, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(100);
    stream << "new";
  }
  EXPECT_FALSE(file->unchanged());
  const auto again = open();
  EXPECT_TRUE(again->unchanged());
  {
    std::ofstream stream(path_, std::ios::app | std::ios::binary);
    stream << "more";
  }
  EXPECT_FALSE(again->unchanged());
  EXPECT_EQ(again->bytes().size(), kBytes);
}

TEST_F(ChangedFile, ReplacedOrRemovedStaysReadableAsItWas) {
  const auto file = open();
  test::writeBytes(folder_.path() / "new.bin", "short");
  fs::rename(folder_.path() / "new.bin", path_);
  EXPECT_EQ(sumOf(file->bytes()), static_cast<std::int64_t>(kBytes) * 'x');
  EXPECT_TRUE(file->unchanged());
  fs::remove(path_);
  EXPECT_TRUE(file->unchanged());
}

TEST_F(ChangedFile, ManyMappingsAreAllGuarded) {
  // More than the handler holds in its first block.
  std::vector<std::shared_ptr<const MappedFile>> files;
  for (int i = 0; i < 600; ++i) {
    files.push_back(open());
  }
  fs::resize_file(path_, 0);
  for (const auto& file : files) {
    EXPECT_EQ(sumOf(file->bytes().last(1)), 0);
    EXPECT_FALSE(file->unchanged());
  }
}

TEST_F(ChangedFile, AForeignFaultStillEndsTheProgram) {
  DUBITO_NEEDS_NO_SANITIZER();
  const auto file = open();
  EXPECT_EXIT(raise(SIGBUS), testing::KilledBySignal(SIGBUS), "");
}

TEST_F(ChangedFile, RunFileShortenedWhileItIsReadIsOneError) {
  dubito::Run run;
  constexpr std::int64_t kItems = 20000;
  auto probs = Array<float>::zeros({kItems, 2});
  std::vector<std::int64_t> ids(kItems);
  std::iota(ids.begin(), ids.end(), std::int64_t{0});
  for (std::int64_t i = 0; i < kItems; ++i) {
    probs.mutableRow(i)[0] = 0.25F;
    probs.mutableRow(i)[1] = 0.75F;
  }
  run.probs = probs;
  run.labels = Array<std::int64_t>::zeros({kItems});
  run.ids = Array<std::int64_t>::fromVector(std::move(ids));
  fillFromProbs(run, RunContext());
  RunContext context;
  const std::string path = folder_.file("run.npz");
  ASSERT_TRUE(writeRun(run, path, context));

  // Shortened after it was opened: the mapped numbers become zeros.
  const auto opened = readRun(path, context);
  ASSERT_OK(opened);
  ASSERT_TRUE(mappedFilesUnchanged());
  const auto size = fs::file_size(path);
  fs::resize_file(path, 4096);
  EXPECT_EQ(opened->prob(kItems - 1, 1), 0.0);
  EXPECT_FALSE(mappedFilesUnchanged());

  // Shortened at any moment while it is being opened: a correct run or one error, never a crash.
  for (int round = 0; round < 40; ++round) {
    ASSERT_TRUE(writeRun(run, path, context));
    std::jthread shorten([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(25 * round));
      std::error_code ignored;
      fs::resize_file(path, size / 3, ignored);
    });
    const auto result = readRun(path, context);
    const Status after = mappedFilesUnchanged();
    if (!result) {
      EXPECT_THAT(result.error().message, HasSubstr(path));
    } else if (after) {
      EXPECT_EQ(result->prob(kItems - 1, 1), 0.75);
    }
  }
}

TEST_F(ChangedFile, PredictionsThatChangeWhileTheyAreReadAreOneErrorOrRight) {
  constexpr int kRows = 30000;
  std::string csv = "label,p0,p1\n";
  for (int i = 0; i < kRows; ++i) {
    csv += "1,0.25,0.75\n";
  }
  const std::string path = folder_.file("predictions.csv");
  using Change = std::function<void()>;
  const std::vector<Change> changes{[&] { fs::resize_file(path, csv.size() / 3); },
                                    [&] { std::ofstream(path, std::ios::app) << "0,0.5,0.5\n"; },
                                    [&] {
                                      test::writeBytes(folder_.path() / "new.csv",
                                                       "label,p0,p1\n0,1,0\n");
                                      fs::rename(folder_.path() / "new.csv", path);
                                    }};
  RunContext context;
  for (const Change& change : changes) {
    for (int round = 0; round < 12; ++round) {
      fs::remove(path);
      test::writeBytes(path, csv);
      Expected<dubito::Run> run;
      {
        std::jthread other([&] {
          std::this_thread::sleep_for(std::chrono::microseconds(400 * round));
          change();
        });
        run = openPredictions(path, context);
      }
      if (!run) {
        EXPECT_THAT(run.error().message, HasSubstr(path));
      } else {
        const std::int64_t n = run->itemCount();
        EXPECT_TRUE(n == kRows || n == kRows + 1 || n == 1) << n;
      }
    }
  }
}

}  // namespace
}  // namespace dubito
