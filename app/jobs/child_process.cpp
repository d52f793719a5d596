// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/base/error_json.h"
#include "core/base/in_quotes.h"
#include "core/base/lower_case.h"

namespace dubito {
namespace {

constexpr auto kGrace = std::chrono::seconds(2);
constexpr int kPollMilliseconds = 40;
/// Longer output without a line break is not progress; only its end is kept.
constexpr std::size_t kMaxLineLength = 64 << 10;
constexpr std::size_t kMaxOutputKept = 4 << 10;
/// Exit status of a child that could not exec the program.
constexpr int kNotStarted = 127;

/// Runs in the child between fork and exec; async-signal-safe calls only.
[[noreturn]] void execProgram(char* const* arguments, int output, pid_t parent) {
  // The child must not outlive the window, which may already have exited.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) {
    _exit(kNotStarted);
  }
  // If memory runs out, the kernel should kill this process, not the window.
  if (const int score = open("/proc/self/oom_score_adj", O_WRONLY); score >= 0) {
    [[maybe_unused]] const ssize_t ignored = write(score, "500", 3);
    close(score);
  }
  const int null_device = open("/dev/null", O_RDWR);
  dup2(null_device, STDIN_FILENO);
  dup2(null_device, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  close_range(3, ~0U, 0);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  execv(arguments[0], arguments);
  _exit(kNotStarted);
}

/// The error contained in a line.
std::optional<Error> parseError(const std::string& line) {
  if (!line.starts_with("{\"error\"")) {
    return std::nullopt;
  }
  const auto object = nlohmann::json::parse(line, nullptr, false);
  if (!object.is_object() || !object["error"].is_string() ||
      !object.value("code", nlohmann::json()).is_number_integer()) {
    return std::nullopt;
  }
  Error error = errorFromJson(object);
  error.message = shownText(error.message, kMaxOutputKept);
  for (Setting& setting : error.remedy.settings) {
    setting.value = shownText(setting.value, kMaxOutputKept);
  }
  return error;
}

/// Parser of the child's output.
class ChildOutput {
 public:
  void add(const char* text, std::size_t count,
           const std::function<void(const Progress&)>& report) {
    line_.append(text, count);
    for (std::size_t end = line_.find('\n'); end != std::string::npos; end = line_.find('\n')) {
      take(line_.substr(0, end), report);
      line_.erase(0, end + 1);
    }
    if (line_.size() > kMaxLineLength) {
      line_.erase(0, line_.size() - kMaxOutputKept);
    }
  }
  /// The error that the child reported in full.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  /// The last line that is not progress, without the program name prefix.
  [[nodiscard]] std::string last(const std::string& program) const {
    std::string text = line_.empty() ? last_ : line_;
    const std::string name = std::filesystem::path(program).filename().string() + ": ";
    if (text.starts_with(name)) {
      text.erase(0, name.size());
    }
    return shownText(text, kMaxOutputKept);
  }

 private:
  void take(const std::string& line, const std::function<void(const Progress&)>& report) {
    if (const std::optional<Progress> progress = parseProgress(line)) {
      report(*progress);
    } else if (std::optional<Error> error = parseError(line)) {
      error_ = std::move(error);
    } else if (!line.empty()) {
      last_ = line;
    }
  }
  std::string line_;  ///< incomplete line so far
  std::string last_;
  std::optional<Error> error_;
};

std::string signalText(int signal) {
  const char* const name = sigdescr_np(signal);
  return lowerCase(name == nullptr ? "unknown" : name);
}

tl::unexpected<Error> killedBy(int signal) {
  const bool memory = signal == SIGKILL;
  return fail(memory ? ErrorCode::kOutOfMemory : ErrorCode::kInternal,
              fmt::format("the compute process was killed by signal {} ({}){}; the window and its "
                          "data are not affected; {}",
                          signal, signalText(signal),
                          memory ? ", as the kernel does when memory runs out" : "",
                          memory ? "use a smaller batch or fewer draws"
                                 : "try another device, or check the model file"));
}

Status statusOf(int status, const ChildCommand& command, const ChildOutput& output) {
  const std::string& program = command.arguments.front();
  if (WIFSIGNALED(status)) {
    return killedBy(WTERMSIG(status));
  }
  const int code = WEXITSTATUS(status);
  if (code == 0) {
    return {};
  }
  if (const std::optional<Error>& error = output.error()) {
    return tl::unexpected<Error>(*error);
  }
  const std::string last = output.last(program);
  if (code == kNotStarted && last.empty()) {
    return fail(
        ErrorCode::kNotFound,
        fmt::format("{}: cannot be started; install it next to dubito, or turn off 'Run in a "
                    "separate process'",
                    program));
  }
  constexpr int kInterrupted = 130;
  if (code == kInterrupted) {
    return cancelled();
  }
  return fail(ErrorCode::kInternal,
              last.empty()
                  ? fmt::format("the compute process exited with status {} and no "
                                "message; turn off 'Run in a separate process' to see more",
                                code)
                  : last);
}

tl::unexpected<Error> notStarted(int reason) {
  return fail(ErrorCode::kInternal, fmt::format("cannot start a process ({}); close other "
                                                "programs, or turn off 'Run in a separate process'",
                                                std::strerror(reason)));
}

class Child {
 public:
  Child(pid_t pid, int output, ChildReaper& reaper, const ChildCommand& command)
      : pid_(pid), output_fd_(output), reaper_(reaper), command_(command) {}
  ~Child() {
    close(output_fd_);
    if (pid_ > 0) {
      kill(pid_, SIGTERM);
      reaper_.take(pid_, kGrace, command_.output_folder);
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  Status watch(RunContext& context) {
    ChildOutput output;
    bool listens = false;
    const auto report = [&](const Progress& progress) {
      listens = true;
      context.step(progress.stage == command_.main_stage
                       ? command_.name
                       : fmt::format("{}: {}", command_.name, shownText(progress.stage, 60)),
                   progress.done, progress.total);
    };
    bool told_to_stop = false;
    for (;;) {
      const bool open = readOnce(output, report);
      // Once the child is gone, all its output is in the pipe.
      int status = 0;
      const pid_t ended = waitpid(pid_, &status, WNOHANG);
      // Gone too if the exit status cannot be collected (ECHILD); the output tells the rest.
      if (ended == pid_ || (ended < 0 && errno == ECHILD)) {
        while (readOnce(output, report, 0)) {
        }
        pid_ = 0;
        return statusOf(status, command_, output);
      }
      if (context.cancelRequested()) {
        return cancelled();
      }
      if (context.control()->stopEarlyRequested() && listens && !told_to_stop) {
        told_to_stop = true;
        kill(pid_, SIGUSR1);
      }
      if (!open) {
        poll(nullptr, 0, kPollMilliseconds);
      }
    }
  }

 private:
  /// Waits for output and reads it; returns false if there is none (yet, or any more).
  bool readOnce(ChildOutput& output, const std::function<void(const Progress&)>& report,
                int wait = kPollMilliseconds) {
    pollfd waiting{output_fd_, POLLIN, 0};
    if (poll(&waiting, 1, wait) <= 0) {
      return wait > 0;
    }
    std::array<char, 4096> text{};
    const ssize_t count = read(output_fd_, text.data(), text.size());
    if (count <= 0) {
      return false;
    }
    output.add(text.data(), static_cast<std::size_t>(count), report);
    return true;
  }

  pid_t pid_;  ///< 0 once it is gone
  int output_fd_;
  ChildReaper& reaper_;
  const ChildCommand& command_;
};

}  // namespace

std::optional<Progress> parseProgress(const std::string& line) {
  if (!line.starts_with('{')) {
    return std::nullopt;
  }
  const auto object = nlohmann::json::parse(line, nullptr, false);
  if (!object.is_object() || !object.contains("stage") || !object.contains("done") ||
      !object.contains("total") || !object["stage"].is_string() ||
      !object["done"].is_number_integer() || !object["total"].is_number_integer()) {
    return std::nullopt;
  }
  Progress progress{object["stage"], object["done"], object["total"]};
  const bool possible =
      progress.done >= 0 && (progress.total == 0 || progress.done <= progress.total);
  return possible ? std::optional(progress) : std::nullopt;
}

Status runChild(const ChildCommand& command, ChildReaper& reaper, RunContext& context) {
  std::vector<char*> arguments;
  for (const std::string& argument : command.arguments) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  std::array<int, 2> output{};
  if (pipe2(output.data(), O_CLOEXEC) != 0) {
    return notStarted(errno);
  }
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    execProgram(arguments.data(), output[1], parent);
  }
  const int reason = errno;
  close(output[1]);
  if (child < 0) {
    close(output[0]);
    return notStarted(reason);
  }
  return Child(child, output[0], reaper, command).watch(context);
}

}  // namespace dubito
