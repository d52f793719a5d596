// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/flag_text.h"
#include "app/cli/interrupt.h"
#include "app/cli/plain_output.h"
#include "app/cli/terminal_progress.h"
#include "app/cli/threads_flag.h"
#include "core/base/error_json.h"
#include "core/base/hidden_passwords.h"
#include "core/base/next_to_executable.h"
#include "core/base/thread_count.h"
#include "core/io/mapped_file.h"
#include "core/mpi/launched_ranks.h"

namespace dubito::cli {
namespace {

int exitCodeOf(const Error& error) {
  if (error.code == ErrorCode::kCancelled) {
    return kCancelled;
  }
  return error.code == ErrorCode::kUsage ? kUsage : kFailure;
}

/// What was printed may still fail to arrive: a full disk behind a redirection, a closed pipe.
Status flushOutput() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) {
    return {};
  }
  return fail(
      ErrorCode::kWriteFailed,
      fmt::format(
          "standard output: cannot be written ({}); check its target and the free space there",
          std::strerror(errno)));
}

/// Joins the processes that mpirun or srun started together; the first one speaks for all.
Status joinRanks(const ParsedCommand& parsed, RunContext& context) {
  auto ranks = launchedRanks();
  if (!ranks) {
    return failWith(ranks);
  }
  context.ranks = *std::move(ranks);
  if (!context.ranks) {
    return {};
  }
  if (context.ranks->rank() > 0 && std::freopen("/dev/null", "w", stdout) == nullptr) {
    return fail(ErrorCode::kWriteFailed,
                "/dev/null: cannot be opened; check that it exists and is writable");
  }
  if (!parsed.command.shares_work && context.ranks->size() > 1) {
    return agree(*context.ranks,
                 usageError(fmt::format("{} does not support multiple processes ({} started); "
                                        "run it without mpirun or srun",
                                        parsed.name, context.ranks->size())));
  }
  return {};
}

/// The error for a program, in one line that begins with {"error".
std::string errorLine(const Error& error) {
  return errorToJson(error).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Prints why the command failed, once for all processes, for programs also as one line of JSON;
/// those that wait for one that failed alone are ended.
int reportFailure(const std::string& program, const Error& error, RankGroup* ranks,
                  ProgressStyle style) {
  const bool alone = ranks == nullptr || ranks->size() == 1;
  const bool agreed = error.context.starts_with(kAgreedFailure);
  if (alone || (agreed && ranks->rank() == 0)) {
    fmt::print(stderr, "{}: {}\n", program, PlainText().convert(messageWithFlags(error)));
    if (!error.remedy.lines.empty()) {
      fmt::print(stderr, "\n{}", PlainText().convert(error.remedy.lines));
    }
    if (style == ProgressStyle::kJson) {
      fmt::print(stderr, "{}\n", errorLine(error));
    }
  } else if (!agreed) {
    fmt::print(stderr, "{}: {} (in process {} of {})\n", program,
               PlainText().convert(messageWithFlags(error)), ranks->rank() + 1, ranks->size());
    ranks->abort(exitCodeOf(error));
  }
  return exitCodeOf(error);
}

/// Replaces this program by dubito-cli-networks with the same arguments: processes of mpirun,
/// signals and exit codes stay what they are. Returns only if that fails.
int handOver(const HandedOver& handed_over, char** argv) {
  const std::vector<std::string> places = pathsNextToExecutable(kNetworksProgram);
  const auto found = std::ranges::find_if(
      places, [](const std::string& place) { return access(place.c_str(), X_OK) == 0; });
  const std::string program = found != places.end() ? *found
                              : places.empty()      ? kNetworksProgram
                                                    : places.front();
  // Large pages for the heap (glibc 2.35 or later; ignored elsewhere): torch registers its
  // operators in 50 MB of small objects.
  setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", 0);
  execv(program.c_str(), argv);
  fmt::print(stderr,
             "dubito-cli: {}: cannot be started ({}); {} needs it: install it next to dubito-cli\n",
             program, std::strerror(errno), handed_over.command);
  return kFailure;
}

}  // namespace

int runCommand(const ParsedCommand& parsed, ProgressStyle style) {
  RunContext context(interruptibleControl());
  context.threads = threadCount(parsed.threads);
  TerminalProgress progress(style);
  Status status = joinRanks(parsed, context);
  if (!status) {
    return reportFailure(parsed.program, status.error(), context.ranks.get(), style);
  }
  if (!context.ranks || context.ranks->rank() == 0) {
    printPlainTextOnly();
    context.on_progress = [&progress](const Progress& report) { progress.show(report); };
  }
  try {
    status = parsed.command.run(context);
    status = status ? mappedFilesUnchanged() : status;
    status = status ? flushOutput() : status;
  } catch (const std::bad_alloc&) {
    status = fail(ErrorCode::kOutOfMemory, "not enough memory; use a smaller batch or fewer draws",
                  {setting("batch")});
  } catch (const std::exception& exception) {
    status = fail(ErrorCode::kInternal, fmt::format("unexpected failure: {}", exception.what()));
  }
  progress.clear();
  if (!status) {
    return reportFailure(parsed.program, status.error(), context.ranks.get(), style);
  }
  return kSuccess;
}

int runProgram(int argc, char** argv, const std::string& version,
               std::span<const CommandInfo> commands) {
  CLI::App app(
      "See what a trained model does not know: the uncertainty of trained networks on real data.",
      "dubito-cli");
  app.set_version_flag("--version", version);
  app.require_subcommand(1);
  app.fallthrough();  // what belongs to all commands may stand behind them as well
  std::string style = "terminal";
  app.add_option("--progress", style,
                 "progress on standard error: terminal (a status line, if it is a terminal), json "
                 "(one line per step, for programs) or none")
      ->check(CLI::IsMember({"terminal", "json", "none"}))
      ->capture_default_str();
  std::optional<ParsedCommand> chosen;
  for (const CommandInfo& info : commands) {
    CLI::App* const sub = app.add_subcommand(info.name, info.help);
    sub->preparse_callback([&chosen, &info, sub](std::size_t) {
      chosen = ParsedCommand{.name = info.name, .command = info.declare(*sub)};
      if (sub->get_option_no_throw(kThreadsFlag) == nullptr) {
        declareThreads(*sub, chosen->threads);
      }
    });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kSuccess : kUsage;
  } catch (const HandedOver& handed_over) {
    return handOver(handed_over, argv);
  }
  hidePasswords(argc, argv);
  return runCommand(*chosen, style == "json"   ? ProgressStyle::kJson
                             : style == "none" ? ProgressStyle::kNone
                                               : ProgressStyle::kTerminal);
}

}  // namespace dubito::cli
