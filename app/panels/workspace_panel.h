// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "app/session/session.h"

class QToolButton;
class QVBoxLayout;

namespace dubito {

class WorkspaceRow;

/// The list at the left: models, datasets and runs to choose from, and the groups of the run shown,
/// whose colours can be switched off in the histograms.
class WorkspacePanel : public QFrame {
  Q_OBJECT
 public:
  /// `session` outlives the panel.
  explicit WorkspacePanel(Session& session, QWidget* parent = nullptr);

 Q_SIGNALS:
  void modelEditRequested(std::size_t position);
  void datasetEditRequested(std::size_t position);
  /// The images of a dataset are to be seen: the session browses it.
  void imagesRequested();

 private:
  void rebuild();
  void addHeading(const QString& text);
  void addHint(const QString& text);
  WorkspaceRow* addRow(const QString& object_name);
  void addModels();
  void addDatasets();
  void addRuns();
  void addGroups();
  void addGroup(ItemGroup group, std::int64_t count);

  Session& session_;
  QVBoxLayout* rows_;
  QToolButton* close_demo_;
};

}  // namespace dubito
