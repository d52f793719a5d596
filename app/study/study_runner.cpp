// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/study/study_runner.h"

#include <fmt/format.h>

#include <QDir>
#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>
#include <utility>

#include "app/jobs/child_process.h"
#include "app/jobs/window_jobs.h"
#include "app/session/error_text.h"
#include "app/workbench/isolated_compute.h"
#include "app/workbench/run_computer.h"
#include "core/io/atomic_file.h"
#include "core/study/study_files.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

/// How long a process that was told to end may take, see runChild.
constexpr auto kPatience = std::chrono::seconds(4);

/// An empty folder, a new one, or one with (perhaps unfinished) results of a study.
Status checkFolder(const std::string& folder) {
  std::error_code error;
  if (!fs::exists(folder, error) || fs::exists(fs::path(folder) / kRunsFolder, error) ||
      fs::exists(fs::path(folder) / kStudyFile, error)) {
    return {};
  }
  if (!fs::is_directory(folder, error)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: is not a folder; choose a folder for the results", folder));
  }
  return fs::is_empty(folder, error)
             ? Status()
             : fail(ErrorCode::kInvalidArgument,
                    fmt::format("{}: has files that are not of a study; choose a new folder",
                                folder));
}

std::optional<fs::file_time_type> timeOfTables(const std::string& folder) {
  std::error_code error;
  const fs::file_time_type time = fs::last_write_time(fs::path(folder) / kStudyTable, error);
  return error ? std::nullopt : std::optional(time);
}

Status prepare(const StudyRequest& request, const std::string& program) {
  std::error_code error;
  if (!fs::exists(program, error)) {
    return fail(
        ErrorCode::kNotFound,
        fmt::format("{}: is not there; studies need it, so install it next to dubito", program));
  }
  if (Status suits = checkFolder(request.folder); !suits) {
    return suits;
  }
  fs::create_directories(request.folder, error);
  if (error) {
    return fail(ErrorCode::kWriteFailed,
                fmt::format("{}: cannot be created ({}); choose another folder", request.folder,
                            error.message()));
  }
  return writeFileAtomically((fs::path(request.folder) / kStudyFile).string(),
                             std::string_view(request.text));
}

}  // namespace

/// How a study ended.
struct StudyRunner::Outcome {
  Status status;  ///< of the program
  bool has_written_tables = false;
};

StudyRunner::StudyRunner(WindowJobs& jobs, RunComputer& computer, QObject* parent)
    : QObject(parent), jobs_(jobs), computer_(computer), program_(cliProgram()), job_(thread_) {
  jobs_.watch(job_, WindowJobs::Outcome::kWanted);
  connect(&job_, &Job::stateChanged, this, &StudyRunner::changed);
  connect(&job_, &Job::progressChanged, this, &StudyRunner::progressed);
}

StudyRunner::~StudyRunner() = default;

void StudyRunner::start(const StudyRequest& request) {
  if (running()) {
    return;
  }
  folder_ = request.folder;
  // Two processes must not write the same results.
  const std::weak_ptr<const void> before = child_;
  std::shared_ptr<const void> alive = std::make_shared<int>();
  child_ = alive;
  job_.start<Outcome>(
      tr("Study"), computer_.jobSettings(),
      [this, request, before, alive,
       program = program_](RunContext& context) mutable -> Expected<Outcome> {
        for (auto waited = std::chrono::milliseconds(0); !before.expired() && waited < kPatience;
             waited += std::chrono::milliseconds(20)) {
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        if (Status ready = prepare(request, program); !ready) {
          return failWith(ready);
        }
        const auto tables_before = timeOfTables(request.folder);
        ChildCommand command{{program, "study", (fs::path(request.folder) / kStudyFile).string(),
                              "--output=" + request.folder, "--resume",
                              "--device=" + toString(context.device), "--progress=json"},
                             "Study",
                             {},
                             std::move(alive)};
        Outcome outcome{runChild(command, reaper_, context)};
        const auto tables = timeOfTables(request.folder);
        outcome.has_written_tables = tables && tables != tables_before;
        return outcome;
      },
      this, [this](const Expected<Outcome>& outcome) { deliver(outcome); });
}

void StudyRunner::deliver(const Expected<Outcome>& outcome) {
  const Status status = outcome ? outcome->status : failWith(outcome);
  if (!status && status.error().code != ErrorCode::kCancelled) {
    Q_EMIT failed(errorText(status.error()));
  }
  if (outcome && outcome->has_written_tables) {
    jobs_.setDoneText(
        tr("Study: results in %1").arg(QDir(QString::fromStdString(folder_)).dirName()));
    Q_EMIT finished(QString::fromStdString(folder_));
  }
  Q_EMIT changed();
}

}  // namespace dubito
