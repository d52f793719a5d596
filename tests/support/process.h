// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
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

/// The same, calling `watch` with the program's id every two milliseconds while it runs: to look at
/// it, or to send it a signal at the right moment.
[[nodiscard]] ProcessResult watchProcess(const std::vector<std::string>& command,
                                         const std::function<void(pid_t)>& watch);

}  // namespace dubito::test
