// SPDX-License-Identifier: GPL-3.0-or-later
// An interrupted training goes on where it was.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/matchers.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

using std::chrono::milliseconds;

/// A training of a second or two that learns nothing worth knowing.
test::ProcessResult trainTo(const std::string& path, milliseconds interrupt_after = {},
                            const std::vector<std::string>& further = {}) {
  std::vector<std::string> command = {
      DUBITO_CLI,  "train", "mlp",      "synthetic:blobs?n=2000&seed=3",
      "-o",        path,    "--epochs", "60",
      "--batch",   "32",    "--seed",   "7",
      "--threads", "1"};
  command.insert(command.end(), further.begin(), further.end());
  return test::runProcess(command, interrupt_after);
}

TEST(CliTrain, GoesOnAfterCtrlCAndEndsWithTheSameFile) {
  const test::TempDir folder;
  const auto whole = trainTo(folder.file("a/m.pt"));
  EXPECT_EQ(whole.exit_code, 1) << "a folder that is missing";
  std::filesystem::create_directory(folder.file("a"));
  std::filesystem::create_directory(folder.file("b"));
  ASSERT_EQ(trainTo(folder.file("a/m.pt")).exit_code, 0);
  const std::string path = folder.file("b/m.pt");
  // However slow the machine is: interrupted until a state is there, and once more.
  milliseconds patience(300);
  auto interrupted = trainTo(path, patience);
  while (interrupted.exit_code == 130 && !std::filesystem::exists(path + ".part")) {
    patience *= 2;
    interrupted = trainTo(path, patience);
  }
  ASSERT_EQ(interrupted.exit_code, 130) << interrupted.err;
  EXPECT_THAT(interrupted.err, HasSubstr("m.pt.part"));
  EXPECT_THAT(interrupted.err, HasSubstr("resumes from"));
  EXPECT_FALSE(std::filesystem::exists(path));

  const auto other = trainTo(path, {}, {"--drop-rate", "0.1"});
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_THAT(other.err, HasSubstr("drop_rate"));
  EXPECT_THAT(other.err, HasSubstr("or start over (--restart)"));

  const auto resumed = trainTo(path);
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_THAT(resumed.out, HasSubstr("resuming from"));
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
  EXPECT_EQ(test::readBytes(path), test::readBytes(folder.file("a/m.pt")));
}

}  // namespace
}  // namespace dubito
