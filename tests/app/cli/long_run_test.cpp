// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that are interrupted, through the program: what is done is kept, and --resume gives the run
// that nothing interrupted.
#include <csignal>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include "core/io/npz_writer.h"
#include "tests/app/cli/long_run_fixture.h"
#include "tests/app/cli/same_run.h"
#include "tests/support/matchers.h"
#include "tests/support/sanitized.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;
using test::LongRun;
using test::ProcessResult;
using test::readWholeRun;
using test::runProcess;
using test::same;

/// The run that nothing interrupted, made once.
const dubito::Run& reference(const std::vector<std::string>& command, const std::string& output) {
  static const dubito::Run run = [&] {
    const ProcessResult result = runProcess(command);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return readWholeRun(output);
  }();
  return run;
}

class ResumedRun : public LongRun {
 protected:
  void expectResumed(int ignored) {
    const ProcessResult resumed = runProcess(predictCommand(output_, {"--resume"}));
    ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_THAT(resumed.out, HasSubstr("items already computed"));
    EXPECT_EQ(resumed.out.find("incomplete or damaged") != std::string::npos, ignored > 0)
        << resumed.out;
    if (ignored > 0) {
      EXPECT_THAT(resumed.out, HasSubstr("resumed: " + std::to_string(ignored) + " incomplete"));
    }
    EXPECT_FALSE(fs::exists(output_ + ".parts"));
    const std::string whole = folder_.file("whole.npz");
    const dubito::Run& expected = reference(predictCommand(whole), whole);
    const dubito::Run run = readWholeRun(output_);
    test::expectSameRun(run, expected);
    EXPECT_EQ(run.meta.notes, expected.meta.notes);
  }
};

TEST_F(ResumedRun, AfterCtrlC) {
  const ProcessResult stopped = interrupted(predictCommand(output_), output_, SIGINT, 2);
  EXPECT_EQ(stopped.exit_code, 130);
  EXPECT_TRUE(isOneLine(stopped.err)) << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr(output_ + ".parts"));
  EXPECT_THAT(stopped.err, HasSubstr("continue from there (--resume)"));
  EXPECT_FALSE(fs::exists(output_));
  EXPECT_GE(partsOf(output_).size(), 2U);
  expectResumed(0);
}

TEST_F(ResumedRun, AfterSigtermAndASecondInterruption) {
  EXPECT_EQ(interrupted(predictCommand(output_), output_, SIGTERM, 1).exit_code, 130);
  EXPECT_EQ(interrupted(predictCommand(output_, {"--resume"}), output_, SIGINT, 5).exit_code, 130);
  expectResumed(0);
}

TEST_F(ResumedRun, AfterKill) {
  EXPECT_EQ(interrupted(predictCommand(output_), output_, SIGKILL, 2).exit_code, 128 + SIGKILL);
  EXPECT_FALSE(fs::exists(output_));
  // What a kill in the midst of a part leaves; it comes at no moment that a test could choose.
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(output_ + ".parts")) {
    if (entry.path().extension() == ".tmp") {
      fs::remove(entry.path(), ignored);
    }
  }
  test::writeBytes(output_ + ".parts/.part-7.npz.0a1b2c3d.tmp", "half of a part");
  expectResumed(1);
}

TEST_F(ResumedRun, AfterAPartWasDamaged) {
  ASSERT_EQ(interrupted(predictCommand(output_), output_, SIGINT, 3).exit_code, 130);
  const fs::path damaged = partsOf(output_).at(1);
  std::string bytes = test::readBytes(damaged);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  test::writeBytes(damaged, bytes);
  expectResumed(1);
}

TEST_F(LongRun, OnlyItsOwnCommandMayResumeOrBeginAnew) {
  ASSERT_EQ(interrupted(predictCommand(output_), output_, SIGINT, 1).exit_code, 130);
  const auto parts = partsOf(output_);
  const auto expectRefused = [&](const std::vector<std::string>& command, const char* what) {
    const ProcessResult refused = runProcess(command);
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_TRUE(isOneLine(refused.err)) << refused.err;
    EXPECT_THAT(refused.err, HasSubstr(what));
    EXPECT_THAT(refused.err, HasSubstr("delete this folder"));
    EXPECT_EQ(partsOf(output_), parts);
  };
  expectRefused(predictCommand(output_), "(--resume)");
  expectRefused(predictCommand(output_, {"--resume", "--seed", "1"}), "seed is 0, not 1");
  expectRefused(predictCommand(output_, {"--resume"}, "synthetic:blobs?n=9000&seed=4&blobs=200"),
                "n=25000&seed=4, not ");
}

TEST_F(LongRun, ResumeWithoutPartsSimplyRuns) {
  const std::string small = "synthetic:blobs?n=300&seed=4&blobs=200";
  const ProcessResult result = runProcess(predictCommand(output_, {"--resume"}, small));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(readWholeRun(output_).itemCount(), 300);
}

TEST_F(LongRun, OfTwoProgramsOnOneFileTheSecondIsRefused) {
  ProcessResult first;
  bool begun = false;
  ProcessResult second;
  first = test::watchProcess(predictCommand(output_), [&](pid_t) {
    if (!begun && !partsOf(output_).empty()) {
      begun = true;
      second = runProcess(predictCommand(output_));
    }
  });
  EXPECT_EQ(first.exit_code, 0) << first.err;
  ASSERT_TRUE(begun);
  EXPECT_EQ(second.exit_code, 1);
  EXPECT_TRUE(isOneLine(second.err)) << second.err;
  EXPECT_THAT(second.err, HasSubstr("another program"));
  EXPECT_EQ(readWholeRun(output_).itemCount(), 25000);
}

TEST_F(LongRun, ManyProgramsAtOnceLeaveOneSoundRun) {
  std::vector<ProcessResult> results(4);
  {
    std::vector<std::jthread> programs;
    for (ProcessResult& result : results) {
      programs.emplace_back([&] {
        result = runProcess(predictCommand(output_, {}, "synthetic:blobs?n=300&blobs=200"));
      });
    }
  }
  int finished = 0;
  for (const ProcessResult& result : results) {
    finished += result.exit_code == 0 ? 1 : 0;
    EXPECT_TRUE(result.exit_code == 0 || result.err.find("another program") != std::string::npos)
        << result.err;
  }
  EXPECT_GE(finished, 1);
  EXPECT_EQ(readWholeRun(output_).itemCount(), 300);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1);
}

/// A file of points that is mapped while it is computed with.
class ChangedInput : public LongRun {
 protected:
  ChangedInput() { writePoints(input_); }

  static void writePoints(const std::string& path) {
    constexpr std::int64_t kPoints = 200000;
    auto points = Array<float>::zeros({kPoints, 2});
    for (std::int64_t i = 0; i < points.size(); ++i) {
      points.mutableData()[i] = static_cast<float>(i % 89) / 30.0F;
    }
    auto writer = NpzWriter::create(path);
    ASSERT_TRUE(writer && writer->add("x", points) && writer->commit());
  }
  /// Predicts, doing something to the input when the first part is there.
  template <class Change>
  ProcessResult predictWhile(Change change) {
    bool changed = false;
    return test::watchProcess(
        predictCommand(output_, {}, "npz:" + input_ + "?role=unlabelled&items=170000:200000"),
        [&](pid_t) {
          if (!changed && !partsOf(output_).empty()) {
            change();
            changed = true;
          }
        });
  }
  void expectOneError(const ProcessResult& result) {
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_TRUE(isOneLine(result.err)) << result.err;
    EXPECT_THAT(result.err, HasSubstr(input_));
    EXPECT_FALSE(fs::exists(output_));
  }

  std::string input_ = folder_.file("points.npz");
};

TEST_F(ChangedInput, ShortenedIsOneError) {
  expectOneError(predictWhile([&] { fs::resize_file(input_, 4096); }));
}

TEST_F(ChangedInput, AppendedIsOneError) {
  expectOneError(predictWhile([&] { std::ofstream(input_, std::ios::app) << "more"; }));
}

TEST_F(ChangedInput, ReplacedIsTheRunOfTheOldFile) {
  const ProcessResult result = predictWhile([&] {
    test::writeBytes(folder_.path() / "new", "something else");
    fs::rename(folder_.path() / "new", input_);
  });
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const dubito::Run run = readWholeRun(output_);
  writePoints(input_);
  const ProcessResult again = predictWhile([] {});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  const dubito::Run expected = readWholeRun(output_);
  EXPECT_TRUE(same(std::get<Array<float>>(*run.probs), std::get<Array<float>>(*expected.probs)));
}

/// Largest anonymous memory of a run of the program, in bytes.
std::int64_t anonymousPeak(const std::vector<std::string>& command) {
  std::int64_t peak_kb = 0;
  const ProcessResult result = test::watchProcess(command, [&](pid_t child) {
    std::ifstream status("/proc/" + std::to_string(child) + "/status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("RssAnon:")) {
        std::int64_t kb = 0;
        std::istringstream(line.substr(8)) >> kb;
        peak_kb = std::max(peak_kb, kb);
      }
    }
  });
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return peak_kb * 1024;
}

std::int64_t anonymousPeakOf(const std::string& model, const std::string& dataset,
                             const std::vector<std::string>& method) {
  const test::TempDir folder;
  std::vector<std::string> command{DUBITO_CLI,  "predict", model, dataset,
                                   "--threads", "1",       "-o",  folder.file("run.npz")};
  command.insert(command.end(), method.begin(), method.end());
  return anonymousPeak(command);
}

// The allocator keeps up to this much of what was given back; it differs from run to run.
constexpr std::int64_t kNoise = 12 << 20;

TEST_F(LongRun, MemoryGrowsByAtMost40BytesAnItem) {
  DUBITO_NEEDS_NO_SANITIZER();
  const std::string narrow = folder_.file("narrow.pt");
  ASSERT_EQ(runProcess({DUBITO_CLI, "train", "mlp", "synthetic:blobs?n=400&seed=3&blobs=10", "-o",
                        narrow, "--epochs", "1", "--width", "0.2", "--threads", "1"})
                .exit_code,
            0);
  const auto peak = [&](const char* items) {
    return anonymousPeakOf(narrow, std::string("synthetic:blobs?blobs=10&n=") + items, {});
  };
  EXPECT_LT(peak("700000") - peak("100000"), 600000 * 40 + kNoise);
}

TEST_F(LongRun, MemoryDoesNotGrowWithClassesAndDraws) {
  DUBITO_NEEDS_NO_SANITIZER();
  // Kept in memory, these results of 4 850 bytes an item would be 194 MB more. Up to three buffers
  // of a part (8 MB) live for moments, which looking every two milliseconds may meet or miss.
  constexpr std::int64_t kMoments = 3 * (8 << 20);
  const auto peak = [&](const char* items) {
    return anonymousPeakOf(model(), std::string("synthetic:blobs?blobs=200&n=") + items,
                           {"--method", "mc-dropout", "--draws", "5"});
  };
  EXPECT_LT(peak("60000") - peak("20000"), 40000 * 40 + kMoments);
}

}  // namespace
}  // namespace dubito
