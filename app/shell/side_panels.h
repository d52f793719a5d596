// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMessageBox>
#include <QSettings>
#include <QStackedWidget>
#include <optional>

#include "app/session/session.h"

namespace dubito {

class ComputePanel;
class DatasetPanel;
class FileOpener;
class ItemInspector;
class ModelPanel;
class RunComputer;
class SetupPanel;
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
  /// Opens the editor; edits of another model or dataset are not lost without a question.
  void editModel(std::size_t position);
  void editDataset(std::size_t position);
  /// Prompts the user if edits would be lost with the window. Returns true if there are none, or if
  /// the user discards them.
  [[nodiscard]] bool mayCloseWindow();

  /// For tests: the next prompt is skipped and returns `answer`.
  void setNextAnswer(QMessageBox::StandardButton answer) { next_answer_ = answer; }

 Q_SIGNALS:
  /// The Compute panel was opened or closed.
  void computeOpenChanged(bool open);

 private:
  void showPanel(QWidget* panel);
  void leave(SetupPanel& panel);
  /// Whether the edits in `panel` may go: there are none, or the user saves or discards them. The
  /// user cannot keep them unless `may_stay`.
  [[nodiscard]] bool mayLeave(SetupPanel& panel, bool may_stay = true);
  void leaveClosedModel();
  [[nodiscard]] QMessageBox::StandardButton ask(const QString& question,
                                                QMessageBox::StandardButtons answers);

  ItemInspector* inspector_;
  ComputePanel* compute_;
  ModelPanel* model_;
  DatasetPanel* dataset_;
  Session& session_;
  std::optional<QMessageBox::StandardButton> next_answer_;
};

}  // namespace dubito
