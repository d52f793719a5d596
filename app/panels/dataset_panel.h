// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/panels/setup_panel.h"
#include "app/session/dataset_edit.h"
#include "app/session/workbench.h"

class QLabel;
class QPushButton;

namespace dubito {

class OptionsForm;

/// Edits what a dataset is for and which of its items are used: name, role, items, classes, the
/// rule for its labels. Never modal.
class DatasetPanel : public SetupPanel {
  Q_OBJECT
 public:
  /// `workbench` outlives the panel.
  explicit DatasetPanel(Workbench& workbench, QWidget* parent = nullptr);
  ~DatasetPanel() override;

  /// Begins to edit an entry of the session; nothing that was typed before stays.
  void edit(std::size_t position);

 private:
  void refresh();
  void follow();
  void apply();

  Workbench& workbench_;
  Session& session_;
  DatasetPtr dataset_;
  DatasetEdit edit_;  ///< the form writes into it

  QLabel* specification_;
  QLabel* facts_;
  QLabel* problem_;
  OptionsForm* form_;
  QPushButton* apply_;
};

}  // namespace dubito
