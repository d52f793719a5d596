// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/networks/study_pdf.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/in_quotes.h"
#include "core/base/next_to_executable.h"
#include "core/study/study_values.h"

namespace dubito::cli {
namespace {

constexpr std::size_t kMaxOutputKept = 4096;

/// What a launcher sets for its processes: with it, the child would count as one of them.
constexpr std::array<std::string_view, 6> kLauncherVariables{"OMPI_", "PMIX_", "PMI_",
                                                             "PRTE_", "ORTE_", "HYDRA_"};

/// The environment of this process without a launcher and without a screen.
std::vector<std::string> childEnvironment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    const bool is_of_launcher = std::ranges::any_of(
        kLauncherVariables, [text](std::string_view prefix) { return text.starts_with(prefix); });
    if (!is_of_launcher && !text.starts_with("QT_QPA_PLATFORM=")) {
      variables.emplace_back(text);
    }
  }
  variables.emplace_back("QT_QPA_PLATFORM=offscreen");
  return variables;
}

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) {
    pointers.push_back(text.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

/// A child process whose output is read.
class Child {
 public:
  Child() = default;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    if (output_ >= 0) {
      close(output_);
    }
  }

  /// Returns an errno.
  [[nodiscard]] int start(std::vector<std::string> arguments) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
      return errno;
    }
    output_ = ends[0];
    std::vector<std::string> variables = childEnvironment();
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDERR_FILENO);
    // Connections of MPI and open files of this process.
    posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
    const int error = posix_spawn(&pid_, arguments.front().c_str(), &files, nullptr,
                                  pointersTo(arguments).data(), pointersTo(variables).data());
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
    pid_ = error == 0 ? pid_ : -1;
    return error;
  }

  /// Reads output for a moment. Returns the status of waitpid once the process has ended and all is
  /// read.
  [[nodiscard]] std::optional<int> status() {
    constexpr int kMilliseconds = 50;
    pollfd waiting{.fd = is_read_ ? -1 : output_, .events = POLLIN, .revents = 0};
    if (poll(&waiting, 1, kMilliseconds) > 0) {
      std::array<char, 512> buffer{};
      const ssize_t count = read(output_, buffer.data(), buffer.size());
      text_.append(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
      text_.erase(0, text_.size() - std::min(text_.size(), kMaxOutputKept));
      is_read_ = count == 0 || (count < 0 && errno != EINTR);
    }
    int status = 0;
    if (!is_read_ || waitpid(pid_, &status, WNOHANG) != pid_) {
      return std::nullopt;
    }
    pid_ = -1;
    return status;
  }

  /// The last line that has any text.
  [[nodiscard]] std::string lastLine() const {
    const std::size_t end = text_.find_last_not_of("\n ");
    if (end == std::string::npos) {
      return {};
    }
    const std::size_t begin = text_.find_last_of('\n', end);
    const std::size_t from = begin == std::string::npos ? 0 : begin + 1;
    return shownText(text_.substr(from, end + 1 - from), kMaxOutputKept);
  }

 private:
  pid_t pid_ = -1;
  int output_ = -1;
  bool is_read_ = false;  ///< all of it
  std::string text_;
};

tl::unexpected<Error> withoutPdf(const std::string& folder, const std::string& reason) {
  return fail(ErrorCode::kNotFound,
              fmt::format("{}: not written ({}); write it later with dubito --study-report",
                          (std::filesystem::path(folder) / kStudyPdf).string(), reason));
}

}  // namespace

std::string windowProgram() {
  const std::vector<std::string> paths = pathsNextToExecutable("dubito");
  return paths.empty() ? "dubito" : paths.front();
}

Status makeStudyPdf(const std::string& program, const std::string& folder,
                    std::chrono::milliseconds limit, const RunContext& context) {
  std::error_code ignored;
  if (!std::filesystem::exists(program, ignored)) {
    return withoutPdf(folder, program + ", which makes it, is not installed");
  }
  Child child;
  if (const int error =
          child.start({program, "--study-report", std::filesystem::absolute(folder).string()});
      error != 0) {
    return withoutPdf(folder, fmt::format("{} cannot be started: {}", program, strerror(error)));
  }
  const auto end = std::chrono::steady_clock::now() + limit;
  std::optional<int> status;
  while (!(status = child.status())) {
    if (context.cancelRequested()) {
      return cancelled();
    }
    if (std::chrono::steady_clock::now() > end) {
      return withoutPdf(folder,
                        fmt::format("{} took longer than {} s", program,
                                    std::chrono::ceil<std::chrono::seconds>(limit).count()));
    }
  }
  if (WIFEXITED(*status) && WEXITSTATUS(*status) == 0) {
    return {};
  }
  const std::string reason = child.lastLine();
  return withoutPdf(folder, reason.empty() ? program + " failed without a message" : reason);
}

}  // namespace dubito::cli
