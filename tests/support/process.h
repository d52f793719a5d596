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
  int exit_code = -1;  ///< 128 + signal if a signal ended it
  std::string out;
  std::string err;
};

/// Runs a program to completion. With `interrupt_after` > 0, sends SIGINT after that time. Kills
/// programs that run longer than five minutes.
[[nodiscard]] ProcessResult runProcess(const std::vector<std::string>& command,
                                       std::chrono::milliseconds interrupt_after = {});

/// The same, calling `watch` with the process id every two milliseconds while it runs, to inspect
/// it or to send it a signal.
[[nodiscard]] ProcessResult watchProcess(const std::vector<std::string>& command,
                                         const std::function<void(pid_t)>& watch);

}  // namespace dubito::test
