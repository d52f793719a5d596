// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "app/session/session.h"
#include "app/workbench/file_opener.h"
#include "app/workbench/run_computer.h"

class QToolButton;
class QVBoxLayout;

namespace dubito {

class WorkspaceRow;

/// The workspace list: models, datasets, runs, running and queued computations, and the item groups
/// of the run shown. Clicking a group hides or shows it in the histograms.
class WorkspacePanel : public QFrame {
  Q_OBJECT
 public:
  /// The arguments outlive the panel.
  WorkspacePanel(Session& session, FileOpener& opener, RunComputer& computer,
                 QWidget* parent = nullptr);

 Q_SIGNALS:
  /// Asks the window to save a run to a file.
  void saveRunRequested(const dubito::AnalysisPtr& analysis);
  void modelEditRequested(std::size_t position);
  void datasetEditRequested(std::size_t position);
  /// Asks the window to show the images of Session::browsed().
  void imagesRequested();

 private:
  void rebuild();
  void fill();
  void addHeading(const QString& text);
  void addHint(const QString& text);
  WorkspaceRow* addRow(const QString& object_name);
  void addModels();
  void addDatasets();
  void addRuns();
  void rename(const std::shared_ptr<const Run>& run, const QString& name);
  void addRunActions(WorkspaceRow& row, std::size_t position);
  void addQueue();
  void addGroups();
  void addGroup(ItemGroup group, std::int64_t count);

  FileOpener& opener_;
  RunComputer& computer_;
  Session& session_;
  QVBoxLayout* rows_;
  QToolButton* close_demo_;
  bool rebuild_later_ = false;  ///< rebuild() was called while a name was being edited
};

}  // namespace dubito
