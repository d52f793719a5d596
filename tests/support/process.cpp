// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>
#include <thread>

#include "tests/support/temp_dir.h"

namespace dubito::test {
namespace {

constexpr auto kLongest = std::chrono::minutes(5);

[[noreturn]] void become(const std::vector<std::string>& command, const std::string& out,
                         const std::string& err) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  if (std::freopen(out.c_str(), "w", stdout) == nullptr ||
      std::freopen(err.c_str(), "w", stderr) == nullptr) {
    _exit(126);
  }
  execv(arguments[0], arguments.data());
  _exit(127);
}

}  // namespace

ProcessResult runProcess(const std::vector<std::string>& command,
                         std::chrono::milliseconds interrupt_after) {
  const auto began = std::chrono::steady_clock::now();
  bool interrupted = interrupt_after.count() == 0;
  return watchProcess(command, [&](pid_t child) {
    if (!interrupted && std::chrono::steady_clock::now() - began >= interrupt_after) {
      kill(child, SIGINT);
      interrupted = true;
    }
  });
}

ProcessResult watchProcess(const std::vector<std::string>& command,
                           const std::function<void(pid_t)>& watch) {
  const TempDir folder;
  const std::string out = folder.file("out");
  const std::string err = folder.file("err");
  const pid_t child = fork();
  if (child < 0) {
    throw std::runtime_error("fork failed");
  }
  if (child == 0) {
    become(command, out, err);
  }
  const auto began = std::chrono::steady_clock::now();
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    watch(child);
    if (std::chrono::steady_clock::now() - began > kLongest) {
      kill(child, SIGKILL);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), readBytes(out),
          readBytes(err)};
}

}  // namespace dubito::test
