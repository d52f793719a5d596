// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace dubito::test {

/// How a program ended.
struct ProcessResult {
  int exit_code = -1;  ///< 128 + signal where a signal ended it
  std::string out;
  std::string err;
};

/// Runs a program to its end. With `interrupt_after` > 0 it gets SIGINT when that time has passed.
/// A program that runs longer than five minutes is killed.
[[nodiscard]] ProcessResult runProcess(const std::vector<std::string>& command,
                                       std::chrono::milliseconds interrupt_after = {});

}  // namespace dubito::test
