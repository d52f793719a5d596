// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/study/study_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "app/files/open_file.h"
#include "app/files/recent_files.h"
#include "app/jobs/window_jobs.h"
#include "app/session/error_text.h"
#include "app/session/session.h"
#include "app/workbench/run_computer.h"

namespace dubito {
namespace {

/// The run in `path` as a part named `name`.
Expected<AnalysisPart> readPart(const std::string& path, const std::string& name,
                                RunContext& context) {
  const Expected<Opened> opened =
      openFile({path, FileKind::kPredictions, false, name}, {}, context);
  if (!opened) {
    return failWith(opened);
  }
  const auto& run = std::get<OpenedRun>(*opened);
  return makePart(name, run.run, run.dataset, context);
}

/// Position of the analysis whose first run is in `path`; -1 if there is none.
int openPosition(const Session& session, const std::string& path) {
  const auto found = std::ranges::find_if(session.analyses(), [&](const AnalysisPtr& analysis) {
    return session.runFiles().fileOf(givenOf(analysis)->in().run) == path;
  });
  return found == session.analyses().end() ? -1
                                           : static_cast<int>(found - session.analyses().begin());
}

}  // namespace

std::string openedRunName(const StudyFolder& study, std::size_t row, std::size_t target,
                          std::uint64_t seed) {
  return fmt::format("{} on {}, seed {}", study.rows[row].name(), study.targets[target].name, seed);
}

StudyView::StudyView(Session& session, WindowJobs& jobs, const RunComputer& computer,
                     RecentFiles& recent, QObject* parent)
    : QObject(parent),
      session_(session),
      computer_(computer),
      recent_(recent),
      read_(jobs.fileThread()),
      runs_(jobs.fileThread()) {
  jobs.watch(read_);
  jobs.watch(runs_);
  connect(&read_, &Job::stateChanged, this, &StudyView::changed);
  connect(&runs_, &Job::stateChanged, this, &StudyView::changed);
}

StudyView::~StudyView() = default;

void StudyView::open(const QString& folder) {
  read_.restart<StudyFolderPtr>(
      tr("Opening the study"), {},
      [path = folder.toStdString()](RunContext&) -> Expected<StudyFolderPtr> {
        auto study = readStudyFolder(path);
        if (!study) {
          return failWith(study);
        }
        return std::make_shared<const StudyFolder>(*std::move(study));
      },
      this,
      [this, folder](const Expected<StudyFolderPtr>& study) {
        if (study) {
          study_ = *study;
          recent_.add(folder);
          Q_EMIT opened();
        } else if (study.error().code != ErrorCode::kCancelled) {
          recent_.remove(folder);
          Q_EMIT failed(errorText(study.error()));
        }
      });
}

void StudyView::openRuns(std::size_t row, std::size_t target, std::uint64_t seed) {
  const StudyCell* const cell = study_->cellAt(row, target);
  const auto runs = std::ranges::find(cell->runs, seed, &StudyCellRuns::seed);
  if (runs == cell->runs.end()) {
    Q_EMIT failed(tr("%1: does not name the runs of %2; run the study again, which writes them "
                     "down")
                      .arg(QString::fromStdString(study_->path),
                           QString::fromStdString(openedRunName(*study_, row, target, seed))));
    return;
  }
  if (const int position = openPosition(session_, runs->target); position >= 0) {
    session_.setActiveAnalysis(position);
    Q_EMIT runsOpened();
    return;
  }
  std::vector<ModelPtr> models;
  for (const ModelEntry& entry : session_.models()) {
    models.push_back(entry.model);
  }
  std::vector<std::string> files{runs->target};
  files.insert(files.end(), runs->ood.begin(), runs->ood.end());
  std::vector<std::string> names{study_->targets[target].name};
  names.insert(names.end(), study_->ood.begin(), study_->ood.end());
  const std::string name = openedRunName(*study_, row, target, seed);
  const bool started = runs_.start<AnalysisPtr>(
      tr("Opening %1").arg(QString::fromStdString(name)), computer_.jobSettings(),
      [files, names, models,
       options = computer_.settings().evaluation](RunContext& context) -> Expected<AnalysisPtr> {
        std::vector<AnalysisPart> parts;
        for (std::size_t i = 0; i < files.size() && i < names.size(); ++i) {
          Expected<AnalysisPart> part = readPart(files[i], names[i], context);
          if (!part) {
            return failWith(part);
          }
          parts.push_back(*std::move(part));
        }
        return analyseOpened(std::move(parts), files.front(), models, options, context);
      },
      this,
      [this, files, name](const Expected<AnalysisPtr>& analysis) {
        if (!analysis) {
          if (analysis.error().code != ErrorCode::kCancelled) {
            Q_EMIT failed(errorText(analysis.error()));
          }
          return;
        }
        for (std::size_t i = 0; i < (*analysis)->parts.size(); ++i) {
          session_.runFiles().setFile((*analysis)->parts[i].run, files[i]);
        }
        session_.setRunLabel(session_.addAnalysis(*analysis), {name, {}});
        Q_EMIT runsOpened();
      });
  if (!started) {
    Q_EMIT failed(tr("%1: other runs are being opened; try again when they are there")
                      .arg(QString::fromStdString(name)));
  }
}

}  // namespace dubito
