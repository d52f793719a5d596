// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <memory>

#include "app/jobs/job.h"
#include "core/study/study_folder.h"

namespace dubito {

class RecentFiles;
class RunComputer;
class Session;
class WindowJobs;

using StudyFolderPtr = std::shared_ptr<const StudyFolder>;

/// The finished study that is open, and its way into the session: the runs of a row become ordinary
/// runs that every page shows. Reads on the thread for files. GUI thread only.
class StudyView : public QObject {
  Q_OBJECT
 public:
  /// All arguments must outlive this. The folders of studies are added to `recent`.
  StudyView(Session& session, WindowJobs& jobs, const RunComputer& computer, RecentFiles& recent,
            QObject* parent = nullptr);
  ~StudyView() override;

  /// Reads the tables in `folder`. If that fails, the study that is open stays.
  void open(const QString& folder);
  /// Null if none is open.
  [[nodiscard]] const StudyFolderPtr& study() const { return study_; }

  /// Adds the run of a row on a target with one seed and its OOD runs to the session, named
  /// openedRunName(); if it is there already, shows it. There must be such a cell.
  void openRuns(std::size_t row, std::size_t target, std::uint64_t seed);

  [[nodiscard]] bool busy() const { return isActive(read_.state()) || isActive(runs_.state()); }

 Q_SIGNALS:
  /// study() is another one.
  void opened();
  /// The runs are in the session, and the first is shown.
  void runsOpened();
  void failed(const QString& message);
  /// busy() changed.
  void changed();

 private:
  Session& session_;
  const RunComputer& computer_;
  RecentFiles& recent_;
  StudyFolderPtr study_;
  Job read_;
  Job runs_;
};

/// "plain/map on turned, seed 1"
[[nodiscard]] std::string openedRunName(const StudyFolder& study, std::size_t row,
                                        std::size_t target, std::uint64_t seed);

}  // namespace dubito
