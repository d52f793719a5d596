// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged run files and --verify.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/io/run_file.h"
#include "core/io/run_summary.h"
#include "tests/core/io/damage.h"
#include "tests/support/matchers.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

test::ProcessResult cli(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), DUBITO_CLI);
  return test::runProcess(arguments);
}

/// A run whose draws alone are too large to be compared on opening; ids begin at `first_id`.
void writeLargeRun(const std::string& path, std::int64_t first_id) {
  constexpr std::int64_t kItems = 100;
  constexpr std::int64_t kDraws = 25'000;
  Run run;
  Array<float> probs = Array<float>::zeros({kItems, 2});
  Array<float> samples = Array<float>::zeros({kDraws, kItems, 2});
  run.ids = Array<std::int64_t>::zeros({kItems});
  run.labels = Array<std::int64_t>::zeros({kItems});
  for (std::int64_t i = 0; i < kItems; ++i) {
    probs.mutableData()[2 * i] = 0.25F;
    probs.mutableData()[2 * i + 1] = 0.75F;
    run.ids.mutableData()[i] = first_id + i;
    run.labels.mutableData()[i] = i % 2;
  }
  std::fill_n(samples.mutableData(), samples.size(), 0.5F);
  run.probs = probs;
  run.samples = samples;
  RunContext context;
  fillFromProbs(run, context);
  const Status written = writeRun(run, path, context);
  ASSERT_OK(written);
}

TEST(CliVerify, ComparesAllOfEveryRunThatACommandReads) {
  const test::TempDir folder;
  const std::string run = folder.file("run.npz");
  const std::string other = folder.file("other.npz");
  const std::string made = folder.file("made.npz");
  writeLargeRun(run, 0);
  writeLargeRun(other, 1000);
  const std::vector<std::vector<std::string>> commands{
      {"evaluate", run, "--ood", "other=" + other},
      {"conformal", run, "--calibration", other},
      {"select", run, "--calibration", other},
      {"dirichlet", run},
      {"tune", run, "--calibration", other, "-o", made},
      {"tune", run, "--temperature", "2", "-o", made},
      {"convert", run, "-o", made}};
  const auto verifying = [](std::vector<std::string> arguments) {
    arguments.emplace_back("--verify");
    return cli(arguments);
  };
  for (const auto& command : commands) {
    const auto intact = verifying(command);
    EXPECT_EQ(intact.exit_code, 0) << command[0] << ": " << intact.err;
  }
  test::flipBit(run, "samples", 90'000'001);
  for (const auto& command : commands) {
    const auto damaged = verifying(command);
    EXPECT_EQ(damaged.exit_code, 1) << command[0];
    EXPECT_THAT(damaged.err, HasSubstr(run + ": array 'samples' is damaged"))
        << command[0] << ": " << damaged.err;
  }
  EXPECT_EQ(cli(commands[0]).exit_code, 0);
  const auto other_damaged =
      verifying({"evaluate", other, "--ood", "run=" + run});  // not the first run alone
  EXPECT_THAT(other_damaged.err, HasSubstr(run + ": array 'samples' is damaged"));
}

TEST(CliVerify, ADamagedLabelIsRefusedWithoutBeingAsked) {
  const test::TempDir folder;
  const std::string run = folder.file("run.npz");
  writeLargeRun(run, 0);
  test::flipBit(run, "labels", 8 * 128);  // of the first label: 1 in place of 0
  const auto evaluated = cli({"evaluate", run});
  EXPECT_EQ(evaluated.exit_code, 1);
  EXPECT_THAT(evaluated.err, HasSubstr("array 'labels' is damaged"));
  EXPECT_THAT(evaluated.err, HasSubstr("restore the file from a copy"));
}

TEST(CliVerify, PredictRefusesItWhereItReadsNoRun) {
  const test::TempDir folder;
  const auto idle = cli({"predict", folder.file("x.pt"), "synthetic:blobs?n=9", "-o",
                         folder.file("run.npz"), "--verify"});
  EXPECT_EQ(idle.exit_code, 2);
  EXPECT_THAT(idle.err, HasSubstr("--verify"));
}

}  // namespace
}  // namespace dubito
