// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

#include "app/cli/command.h"
#include "app/cli/interrupt.h"
#include "app/cli/terminal_progress.h"
#include "core/io/mapped_file.h"
#include "core/mpi/launched_ranks.h"

namespace {

using namespace dubito;
using namespace dubito::cli;

int exitCodeOf(const Error& error) {
  if (error.code == ErrorCode::kCancelled) {
    return kCancelled;
  }
  return error.context.ends_with("usage") ? kUsage : kFailure;
}

/// What was printed may still fail to arrive: a full disk behind a redirection, a closed pipe.
Status flushOutput() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) {
    return {};
  }
  return fail(ErrorCode::kWriteFailed,
              fmt::format("standard output: cannot be written ({}); make room where it leads",
                          std::strerror(errno)));
}

/// Joins the processes that mpirun or srun started together; the first one speaks for all.
Status joinRanks(const Command& command, RunContext& context) {
  auto ranks = launchedRanks();
  if (!ranks) {
    return failWith(ranks);
  }
  context.ranks = *std::move(ranks);
  if (!context.ranks) {
    return {};
  }
  if (context.ranks->rank() > 0 && std::freopen("/dev/null", "w", stdout) == nullptr) {
    return fail(ErrorCode::kWriteFailed, "/dev/null: cannot be opened; look into the machine");
  }
  if (!command.shares_work && context.ranks->size() > 1) {
    return agree(*context.ranks,
                 usageError(fmt::format("{} cannot be shared by {} processes; start it alone",
                                        command.app->get_name(), context.ranks->size())));
  }
  return {};
}

/// Prints why the command failed, once for all processes; those that wait for one that failed alone
/// are ended.
int reportFailure(const Error& error, RankGroup* ranks) {
  const bool alone = ranks == nullptr || ranks->size() == 1;
  const bool agreed = error.context.starts_with(kAgreedFailure);
  if (alone || (agreed && ranks->rank() == 0)) {
    fmt::print(stderr, "dubito-cli: {}\n", error.message);
  } else if (!agreed) {
    fmt::print(stderr, "dubito-cli: {} (in process {} of {})\n", error.message, ranks->rank() + 1,
               ranks->size());
    ranks->abort(exitCodeOf(error));
  }
  return exitCodeOf(error);
}

int run(const Command& command, ProgressStyle style) {
  RunContext context(interruptibleControl());
  TerminalProgress progress(style);
  Status status = joinRanks(command, context);
  if (!status) {
    return reportFailure(status.error(), context.ranks.get());
  }
  if (!context.ranks || context.ranks->rank() == 0) {
    context.on_progress = [&progress](const Progress& report) { progress.show(report); };
  }
  try {
    status = command.run(context);
    status = status ? mappedFilesUnchanged() : status;
    status = status ? flushOutput() : status;
  } catch (const std::bad_alloc&) {
    status = fail(ErrorCode::kOutOfMemory,
                  "there is not enough memory for this; use a smaller --batch or fewer draws");
  } catch (const std::exception& exception) {
    status = fail(ErrorCode::kInternal, fmt::format("unexpected failure: {}", exception.what()));
  }
  progress.clear();
  if (!status) {
    return reportFailure(status.error(), context.ranks.get());
  }
  return kSuccess;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "See what a trained model does not know: uncertainty from trained networks and real data.",
      "dubito-cli");
  app.set_version_flag("--version", DUBITO_VERSION);
  app.require_subcommand(1);
  app.fallthrough();  // what belongs to all commands may stand behind them as well
  std::string style = "terminal";
  app.add_option("--progress", style,
                 "on standard error: terminal (a line for people, where it is one), json (a line "
                 "for programs at each step) or none")
      ->check(CLI::IsMember({"terminal", "json", "none"}))
      ->capture_default_str();
  const std::array commands{devicesCommand(app), inspectCommand(app),   predictCommand(app),
                            laplaceCommand(app), evaluateCommand(app),  conformalCommand(app),
                            selectCommand(app),  dirichletCommand(app), tuneCommand(app),
                            trainCommand(app),   convertCommand(app)};
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kSuccess : kUsage;
  }
  for (const Command& command : commands) {
    if (command.app->parsed()) {
      return run(command, style == "json"   ? ProgressStyle::kJson
                          : style == "none" ? ProgressStyle::kNone
                                            : ProgressStyle::kTerminal);
    }
  }
  return kUsage;
}
