// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>
#include <QStackedWidget>

#include "app/session/session.h"

namespace dubito {

class ComputePanel;
class DatasetPanel;
class FileOpener;
class ItemInspector;
class ModelPanel;
class RunComputer;
class WindowJobs;

/// Right side of the window: shows the inspector or a setup panel.
class SidePanels : public QStackedWidget {
  Q_OBJECT
 public:
  /// What the panels use; all outlive them.
  struct Parts {
    Session& session;
    WindowJobs& jobs;
    RunComputer& computer;
    FileOpener& opener;
    QSettings& settings;
  };
  explicit SidePanels(const Parts& parts, QWidget* parent = nullptr);

  [[nodiscard]] ItemInspector& inspector() { return *inspector_; }
  [[nodiscard]] ComputePanel& compute() { return *compute_; }
  [[nodiscard]] ModelPanel& model() { return *model_; }

  void showInspector();
  void setComputeOpen(bool open);
  [[nodiscard]] bool isComputeOpen() const;
  void editModel(std::size_t position);
  void editDataset(std::size_t position);

 Q_SIGNALS:
  /// The Compute panel was opened or closed.
  void computeOpenChanged(bool open);

 private:
  void showPanel(QWidget* panel);

  ItemInspector* inspector_;
  ComputePanel* compute_;
  ModelPanel* model_;
  DatasetPanel* dataset_;
  Session& session_;
};

}  // namespace dubito
