// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspace/workspace_keeper.h"

#include <fmt/format.h>

#include <QFileInfo>
#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/session/error_text.h"
#include "app/workspace/workspace_paths.h"

namespace dubito {
namespace {

namespace fs = std::filesystem;

/// Null if the workspace has no such file.
const WorkspaceFileRef* fileAt(Workspace& workspace, const std::string& path) {
  const std::vector<WorkspaceFileRef*> files = filesOf(workspace);
  const auto found =
      std::find_if(files.begin(), files.end(),
                   [&path](const WorkspaceFileRef* file) { return file->path == path; });
  return found == files.end() ? nullptr : *found;
}

void replaceFile(OpenedWorkspace& opened, const Located::Replacement& replacement) {
  for (WorkspaceFileRef* const file : filesOf(opened.workspace)) {
    if (file->path == replacement.from) {
      *file = {replacement.to, replacement.content};
    }
  }
  opened.left_out.erase(replacement.to);
}

/// Tries `offered` for the first problem, and the same relative paths for the others.
Expected<Located> locateFiles(Workspace workspace, const std::vector<WorkspaceProblem>& problems,
                              const std::string& offered, RunContext& context) {
  Located located;
  const std::string& first = problems.front().path;
  const WorkspaceFileRef* const sought = fileAt(workspace, first);
  if (sought == nullptr) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{}: is not a file, so it cannot be located; skip it", first));
  }
  const auto compared = compareFile(*sought, offered, context);
  if (!compared) {
    return failWith(compared);
  }
  if (*compared) {
    located.differs = **compared;
    return located;
  }
  for (const WorkspaceProblem& problem : problems) {
    const WorkspaceFileRef* const file = fileAt(workspace, problem.path);
    if (file == nullptr) {
      continue;
    }
    const fs::path way = fs::path(problem.path).lexically_relative(fs::path(first).parent_path());
    const std::string place = problem.path == first
                                  ? offered
                                  : absolutePath((fs::path(offered).parent_path() / way).string());
    const auto content = fingerprintOf(place, context);
    if (content && content->sameContent(file->content)) {
      located.found.push_back({problem.path, place, *content});
    } else if (!content && content.error().code == ErrorCode::kCancelled) {
      return failWith(content);
    }
  }
  return located;
}

}  // namespace

WorkspaceKeeper::WorkspaceKeeper(const Parts& parts, QObject* parent)
    : QObject(parent),
      parts_(parts),
      session_(parts.session),
      save_job_(parts.jobs.fileThread()),
      open_job_(parts.jobs.computeThread()),
      locate_job_(parts.jobs.fileThread()) {
  for (Job* const job : {&save_job_, &open_job_, &locate_job_}) {
    parts_.jobs.watch(*job);
  }
  connect(&session_, &Session::workspaceChanged, this, &WorkspaceKeeper::changed);
  connect(&session_, &Session::activeAnalysisChanged, this, &WorkspaceKeeper::changed);
  connect(&session_.plots(), &PlotState::thresholdChanged, this, &WorkspaceKeeper::changed);
  connect(&session_, &Session::shiftsChanged, this, &WorkspaceKeeper::changed);
}

WorkspaceKeeper::~WorkspaceKeeper() = default;

void WorkspaceKeeper::report(const Error& error) {
  if (error.code != ErrorCode::kCancelled) {
    Q_EMIT failed(errorText(error));
  }
}

void WorkspaceKeeper::fail(const QString& message, QStringList& reported) {
  reported << message;
  Q_EMIT failed(message);
}

void WorkspaceKeeper::withdraw(QStringList& reported) {
  for (const QString& message : std::exchange(reported, {})) {
    Q_EMIT withdrawn(message);
  }
}

WorkspaceDraft WorkspaceKeeper::draft() const {
  return draftOf(session_, parts_.computer.settings().evaluation);
}

WorkspaceKeeper::State WorkspaceKeeper::state() const {
  WorkspaceDraft now = draft();
  // A different view is not an unsaved change.
  now.workspace.view.reset();
  now.workspace.active_model.reset();
  now.workspace.active_dataset.reset();
  now.workspace.active_run.reset();
  State state{std::move(now.workspace), {}};
  for (const WorkspaceDraft::RunContent& content : now.runs) {
    for (const WorkspaceDraft::Part& part : content.parts) {
      state.runs.push_back(part.run.get());
    }
  }
  return state;
}

bool WorkspaceKeeper::modified() const {
  return !path_.isEmpty() && (files_replaced_ || state() != saved_state_);
}

std::vector<std::shared_ptr<const Run>> WorkspaceKeeper::unsavedRuns() const {
  std::vector<std::shared_ptr<const Run>> runs;
  for (const AnalysisPtr& analysis : session_.analyses()) {
    if (session_.isUnsaved(*analysis)) {
      runs.push_back(givenOf(analysis)->in().run);
    }
  }
  return runs;
}

int WorkspaceKeeper::unsavedRunCount() const {
  return static_cast<int>(unsavedRuns().size());
}

// --- saving --------------------------------------------------------------------------------------

void WorkspaceKeeper::save(const QString& path) {
  if (saving()) {
    fail(tr("%1: a workspace is being saved; try again when that has finished").arg(path),
         not_saved_);
    return;  // the running save emits saved() or notSaved()
  }
  if (opening()) {
    fail(tr("%1: a workspace is being opened; save when it is open, or cancel opening").arg(path),
         not_saved_);
    Q_EMIT notSaved();
    return;
  }
  if (!problems().empty()) {
    fail(tr("%1: %2 of its files are missing or changed and would be dropped; locate or skip them, "
            "then save")
             .arg(path_, QString::number(problems().size())),
         not_saved_);
    Q_EMIT notSaved();
    return;
  }
  const WorkspaceDraft now = draft();
  for (const std::string& name : now.left_out) {
    Q_EMIT noticed(
        tr("%1: has no file, so the workspace does not include it; save it to a file and "
           "open that")
            .arg(QString::fromStdString(name)));
  }
  const std::string place = absolutePath(path.toStdString());
  save_job_.start<SavedWorkspace>(
      tr("Saving %1").arg(QFileInfo(path).fileName()), {},
      [now, place, before = saved_](RunContext& context) {
        return saveWorkspace(now, place, before, context);
      },
      this,
      [this, place, at_start = state()](Expected<SavedWorkspace> result) {
        if (!result) {
          if (result.error().code != ErrorCode::kCancelled) {
            fail(errorText(result.error()), not_saved_);
          }
          Q_EMIT notSaved();
          return;
        }
        withdraw(not_saved_);
        for (const auto& [run, file] : result->written) {
          session_.runFiles().setFile(run, file);
        }
        path_ = QString::fromStdString(place);
        saved_ = std::move(result->workspace);
        saved_state_ = at_start;
        files_replaced_ = false;
        parts_.opener.recentFiles().add(path_);
        parts_.jobs.setDoneText(tr("Saved: %1").arg(path_));
        Q_EMIT changed();
        Q_EMIT saved(path_);
      });
}

// --- opening -------------------------------------------------------------------------------------

void WorkspaceKeeper::open(const QString& path) {
  if (saving()) {
    fail(tr("%1: a workspace is being saved; open this one when that has finished").arg(path),
         not_opened_);
    return;
  }
  // The search for files of the current workspace is obsolete.
  locate_job_.abandon();
  const std::string place = absolutePath(path.toStdString());
  open_job_.restart<OpenedWorkspace>(
      tr("Opening %1").arg(QFileInfo(path).fileName()), parts_.jobs.settings(),
      [place,
       models = parts_.opener.modelOpening()](RunContext& context) -> Expected<OpenedWorkspace> {
        Expected<Workspace> workspace = readWorkspace(place);
        if (!workspace) {
          return failWith(workspace);
        }
        OpenedWorkspace opened;
        opened.workspace = *std::move(workspace);
        return openWorkspace(std::move(opened), models, context);
      },
      this,
      [this, place, given_up = unsavedRuns()](Expected<OpenedWorkspace> result) {
        const QString file = QString::fromStdString(place);
        if (!result) {
          parts_.opener.recentFiles().remove(file);
          if (result.error().code != ErrorCode::kCancelled) {
            fail(errorText(result.error()), not_opened_);
          }
          return;
        }
        const auto now = unsavedRuns();
        if (!std::all_of(now.begin(), now.end(), [&given_up](const auto& run) {
              return std::find(given_up.begin(), given_up.end(), run) != given_up.end();
            })) {
          fail(tr("%1: not opened, because there is a new unsaved run; save the workspace, then "
                  "open this one")
                   .arg(file),
               not_opened_);
          return;
        }
        withdraw(not_opened_);
        withdraw(not_saved_);  // of what was open before
        path_ = file;
        files_replaced_ = false;
        parts_.opener.recentFiles().add(file);
        parts_.jobs.setDoneText(tr("Opened: %1").arg(file));
        setOpened(*std::move(result), true);
        saved_ = opened_.workspace;
        saved_state_ = state();
        Q_EMIT changed();
      });
}

void WorkspaceKeeper::openRest(OpenedWorkspace next) {
  next.workspace.evaluation = parts_.computer.settings().evaluation;  // may have changed meanwhile
  open_job_.restart<OpenedWorkspace>(
      tr("Opening remaining files"), parts_.jobs.settings(),
      [next = std::move(next), models = parts_.opener.modelOpening()](RunContext& context) {
        return openWorkspace(next, models, context);
      },
      this,
      [this](Expected<OpenedWorkspace> result) {
        if (!result) {
          report(result.error());
          return;
        }
        files_replaced_ = true;
        setOpened(*std::move(result), false);
        Q_EMIT changed();
      });
}

void WorkspaceKeeper::setOpened(OpenedWorkspace opened, bool is_new) {
  const OpenedWorkspace before = std::exchange(opened_, std::move(opened));
  for (const ModelPtr& model : opened_.models) {
    if (model) {
      parts_.opener.rememberModel(model->path());
    }
  }
  candidate_.clear();
  const Workspace& workspace = opened_.workspace;
  for (const auto& [run, file] : opened_.run_files) {
    session_.runFiles().setFile(run, file);
  }
  if (is_new) {
    parts_.opener.cancelAutomaticWork();
    session_.clear();
    ComputeSettings settings = parts_.computer.settings();
    settings.evaluation = workspace.evaluation;
    parts_.computer.setSettings(settings);
  }
  const auto is_open = [is_new](const auto& entries, std::size_t i) {
    return !is_new && i < entries.size() && entries[i];
  };
  const int model = session_.activeModelPosition();
  const int dataset = session_.activeDatasetPosition();
  for (std::size_t i = 0; i < opened_.models.size(); ++i) {
    if (opened_.models[i] && !is_open(before.models, i)) {
      session_.addModel(QString::fromStdString(workspace.models[i].name), opened_.models[i]);
    }
  }
  for (std::size_t i = 0; i < opened_.datasets.size(); ++i) {
    const WorkspaceDataset& entry = workspace.datasets[i];
    if (entry.listed && opened_.datasets[i] && !is_open(before.datasets, i)) {
      session_.addDataset(QString::fromStdString(entry.name), opened_.datasets[i], entry.ood);
    }
  }
  for (std::size_t i = 0; i < opened_.analyses.size(); ++i) {
    const AnalysisPtr& analysis = opened_.analyses[i];
    const std::vector<AnalysisPtr>& present = session_.analyses();
    // Found by its run: the analysis may have been re-evaluated in the meantime.
    const auto old =
        is_open(before.analyses, i)
            ? std::find_if(present.begin(), present.end(),
                           [run = before.analyses[i]->in().run](const AnalysisPtr& candidate) {
                             return givenOf(candidate)->in().run == run;
                           })
            : present.end();
    if (old != present.end() && before.analyses[i] != analysis) {
      session_.replaceAnalysis(static_cast<std::size_t>(old - present.begin()), analysis);
    } else if (analysis && !is_open(before.analyses, i)) {
      session_.setRunLabel(session_.addAnalysis(analysis), workspace.runs[i].label);
    }
  }
  for (const ShiftResultPtr& shift : opened_.shifts) {
    // One that was open may have been computed anew in the meantime.
    if (is_new || std::ranges::find(before.shifts, shift) == before.shifts.end()) {
      session_.addShift(shift);
    }
  }
  if (is_new) {
    restoreChoices();
  } else {
    session_.setActiveModel(model);
    session_.setActiveDataset(dataset);
  }
  if (!session_.analyses().empty()) {
    Q_EMIT parts_.evaluator.analysed();
  }
  Q_EMIT problemsChanged();
}

void WorkspaceKeeper::restoreChoices() {
  const Workspace& workspace = opened_.workspace;
  // Session positions count only what could be opened.
  const auto place = [](const auto& entries, const auto& shown, std::size_t position) {
    int result = 0;
    for (std::size_t i = 0; i < position; ++i) {
      result += entries[i] && shown(i) ? 1 : 0;
    }
    return entries[position] && shown(position) ? result : -1;
  };
  const auto all = [](std::size_t) { return true; };
  if (workspace.active_model) {
    session_.setActiveModel(place(opened_.models, all, *workspace.active_model));
  }
  if (workspace.active_dataset) {
    const auto listed = [&workspace](std::size_t i) { return workspace.datasets[i].listed; };
    session_.setActiveDataset(place(opened_.datasets, listed, *workspace.active_dataset));
  }
  if (workspace.active_run) {
    const int position = place(opened_.analyses, all, *workspace.active_run);
    session_.setActiveAnalysis(position);
    if (position >= 0 && workspace.view) {
      session_.restoreView(*workspace.view);
    }
  }
  for (const auto& [score, value] : workspace.thresholds) {
    const std::optional<Measure> measure = measureOfKey(score);
    if (measure && score != workspace.threshold_measure) {
      session_.plots().setThreshold(*measure, value);
    }
  }
  // Set the threshold moved last at the end, so that it stays the current one.
  const auto last = workspace.thresholds.find(workspace.threshold_measure);
  const std::optional<Measure> measure = measureOfKey(workspace.threshold_measure);
  if (measure && last != workspace.thresholds.end()) {
    session_.plots().setThreshold(*measure, last->second);
  }
}

// --- missing and changed files -------------------------------------------------------------------

bool WorkspaceKeeper::mayChange() {
  if (opening()) {
    Q_EMIT failed(
        tr("%1: files of the workspace are being opened; try again when they are open, or "
           "cancel opening")
            .arg(path_));
  }
  return !opening();
}

void WorkspaceKeeper::locate(const QString& file) {
  if (problems().empty() || !mayChange()) {
    return;
  }
  const std::string offered = absolutePath(file.toStdString());
  locate_job_.restart<Located>(
      tr("Checking %1").arg(QFileInfo(file).fileName()), {},
      [workspace = opened_.workspace, missing = problems(), offered](RunContext& context) {
        return locateFiles(workspace, missing, offered, context);
      },
      this,
      [this, problem = problems().front().path, offered](const Expected<Located>& located) {
        if (!located) {
          report(located.error());
          return;
        }
        handleLocated(*located, problem, offered);
      });
}

void WorkspaceKeeper::handleLocated(const Located& located, const std::string& problem,
                                    const std::string& offered) {
  const auto place =
      std::find_if(opened_.problems.begin(), opened_.problems.end(),
                   [&problem](const WorkspaceProblem& other) { return other.path == problem; });
  if (place == opened_.problems.end()) {
    return;  // left out in the meantime
  }
  if (located.differs) {
    *place = *located.differs;
    candidate_ = offered;
    Q_EMIT problemsChanged();
    return;
  }
  OpenedWorkspace next = opened_;
  for (const Located::Replacement& found : located.found) {
    replaceFile(next, found);
  }
  openRest(std::move(next));
}

void WorkspaceKeeper::accept() {
  if (problems().empty() || !problems().front().now || !mayChange()) {
    return;
  }
  locate_job_.abandon();
  const WorkspaceProblem& problem = problems().front();
  OpenedWorkspace next = opened_;
  replaceFile(next, {problem.path, candidate_.empty() ? problem.path : candidate_, *problem.now});
  openRest(std::move(next));
}

void WorkspaceKeeper::skip() {
  if (problems().empty() || !mayChange()) {
    return;
  }
  locate_job_.cancel();  // a result already delivered finds no such problem and is ignored
  candidate_.clear();
  files_replaced_ = true;
  // Not checked again when other files are located.
  opened_.left_out.insert(problems().front().path);
  opened_.problems.erase(opened_.problems.begin());
  Q_EMIT problemsChanged();
  Q_EMIT changed();
}

}  // namespace dubito
