// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>
#include <QStackedWidget>

#include "app/workbench/workbench.h"

namespace dubito {

class ComputePanel;
class DatasetPanel;
class ItemInspector;
class ModelPanel;

/// Right side of the window: shows the inspector or a setup panel.
class SidePanels : public QStackedWidget {
  Q_OBJECT
 public:
  /// Both references must outlive the panels.
  SidePanels(Workbench& workbench, QSettings& settings, QWidget* parent = nullptr);

  [[nodiscard]] ItemInspector& inspector() { return *inspector_; }
  [[nodiscard]] ComputePanel& compute() { return *compute_; }
  [[nodiscard]] ModelPanel& model() { return *model_; }

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
