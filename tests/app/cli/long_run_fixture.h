// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace dubito::test {

/// A small network of 200 classes, whose results fill a part after a second or so, and the program
/// running it.
class LongRun : public testing::Test {
 protected:
  /// 120 MB of results, fifteen parts: a signal after the first ones meets a run in work.
  static constexpr const char* kDataset = "synthetic:blobs?n=25000&seed=4&blobs=200";

  static const std::string& model() {
    static const TempDir folder;
    static const std::string path = [] {
      const auto trained =
          runProcess({DUBITO_CLI, "train", "mlp", "synthetic:blobs?n=400&seed=3&blobs=200", "-o",
                      folder.file("wide.pt"), "--epochs", "1", "--width", "0.2", "--threads", "1"});
      EXPECT_EQ(trained.exit_code, 0) << trained.err;
      return folder.file("wide.pt");
    }();
    return path;
  }

  static std::vector<std::string> predictCommand(const std::string& output,
                                                 std::vector<std::string> more = {},
                                                 const std::string& dataset = kDataset) {
    std::vector<std::string> command{DUBITO_CLI,   "predict", model(), dataset,     "--method",
                                     "mc-dropout", "--draws", "5",     "--threads", "1",
                                     "--batch",    "100",     "-o",    output};
    command.insert(command.end(), more.begin(), more.end());
    return command;
  }

  /// Names of the complete parts next to a run.
  static std::vector<std::filesystem::path> partsOf(const std::string& output) {
    std::vector<std::filesystem::path> parts;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(output + ".parts", error), end;
         !error && entry != end; entry.increment(error)) {
      if (entry->path().filename().string().starts_with("part-")) {
        parts.push_back(entry->path());
      }
    }
    std::ranges::sort(parts);
    return parts;
  }

  /// Runs predict and sends `signal` when `after` parts are complete.
  static ProcessResult interrupted(const std::vector<std::string>& command,
                                   const std::string& output, int signal, std::size_t after) {
    bool sent = false;
    return watchProcess(command, [&](pid_t child) {
      if (!sent && partsOf(output).size() >= after) {
        kill(child, signal);
        sent = true;
      }
    });
  }

  static bool isOneLine(const std::string& text) {
    return !text.empty() && std::count(text.begin(), text.end(), '\n') == 1 && text.back() == '\n';
  }

  TempDir folder_;
  std::string output_ = folder_.file("run.npz");
};

}  // namespace dubito::test
