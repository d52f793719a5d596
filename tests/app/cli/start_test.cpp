// SPDX-License-Identifier: GPL-3.0-or-later
// dubito-cli starts without torch and OpenCV; dubito-cli-networks takes over the commands that need
// them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;
using test::ProcessResult;
using test::runProcess;
using testing::HasSubstr;
using testing::Not;

/// All shared libraries that the loader would load for a program, as text.
std::string librariesOf(const std::string& program) {
  return runProcess({"/usr/bin/env", "LD_TRACE_LOADED_OBJECTS=1", program}).out;
}

/// The commands that --help lists.
std::vector<std::string> commandsOf(const std::string& program) {
  std::istringstream help(runProcess({program, "--help"}).out);
  std::vector<std::string> commands;
  bool listed = false;
  for (std::string line; std::getline(help, line);) {
    if (listed && line.starts_with("  ") && line[2] != ' ') {
      commands.push_back(line.substr(2, line.find(' ', 2) - 2));
    }
    listed = listed || line == "Subcommands:";
  }
  return commands;
}

TEST(Start, LoadsNeitherTorchNorOpenCvNorLibpq) {
  const std::string libraries = librariesOf(DUBITO_CLI);
  EXPECT_THAT(libraries, HasSubstr("libstdc++"));
  for (const char* const library : {"torch", "libc10", "opencv", "Qt", "cuda", "libpq"}) {
    EXPECT_THAT(libraries, Not(HasSubstr(library)));
  }
  const std::string of_networks = librariesOf(DUBITO_CLI_NETWORKS);
  EXPECT_THAT(of_networks, HasSubstr("libtorch"));
  EXPECT_THAT(of_networks, Not(HasSubstr("opencv")));  // loaded for the first photograph
}

TEST(Start, EveryListedCommandRuns) {
  const std::vector<std::string> commands = commandsOf(DUBITO_CLI);
  EXPECT_THAT(commands, testing::IsSupersetOf({"devices", "predict", "evaluate", "convert"}));
  EXPECT_EQ(commands, commandsOf(DUBITO_CLI_NETWORKS));
  for (const std::string& command : commands) {
    const ProcessResult help = runProcess({DUBITO_CLI, command, "--help"});
    EXPECT_EQ(help.exit_code, 0) << command << ": " << help.err;
    EXPECT_THAT(help.out, HasSubstr("Usage: dubito-cli " + command)) << command;
    EXPECT_THAT(help.out, HasSubstr("--threads INT")) << command;
    EXPECT_EQ(help.out, runProcess({DUBITO_CLI_NETWORKS, command, "--help"}).out) << command;
  }
}

TEST(Start, HandsArgumentsAndExitCodesOver) {
  const ProcessResult usage = runProcess({DUBITO_CLI, "--progress", "none", "predict", "model.pt"});
  EXPECT_EQ(usage.exit_code, 2);
  EXPECT_THAT(usage.err, HasSubstr("dataset is required"));
  const ProcessResult failure = runProcess({DUBITO_CLI, "inspect", "no such model.pt"});
  EXPECT_EQ(failure.exit_code, 1);
  EXPECT_THAT(failure.err, HasSubstr("dubito-cli: no such model.pt"));
  EXPECT_EQ(runProcess({DUBITO_CLI, "--help", "predict"}).out,
            runProcess({DUBITO_CLI, "predict", "--help"}).out);
}

TEST(Start, SaysWhatIsMissingWithoutTheSecondProgram) {
  const test::TempDir folder;
  const std::string alone = folder.file("dubito-cli");
  fs::copy_file(DUBITO_CLI, alone);
  EXPECT_EQ(runProcess({alone, "--version"}).exit_code, 0);
  EXPECT_EQ(runProcess({alone, "devices"}).exit_code, 0);
  const ProcessResult result = runProcess({alone, "predict", "model.pt"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(result.out.empty()) << result.out;
  EXPECT_EQ(result.err, "dubito-cli: " + folder.file("dubito-cli-networks") +
                            ": cannot be started (No such file or directory); predict needs it: "
                            "install it next to dubito-cli\n");
}

}  // namespace
}  // namespace dubito
