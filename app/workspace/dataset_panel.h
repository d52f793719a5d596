// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/compute/setup_panel.h"
#include "app/session/dataset_edit.h"
#include "app/session/session.h"
#include "app/workbench/file_opener.h"

class QLabel;
class QPushButton;

namespace dubito {

class OptionsForm;

/// Panel that edits the name, role, items, classes and label rules of a dataset.
class DatasetPanel : public SetupPanel {
  Q_OBJECT
 public:
  /// The arguments outlive the panel.
  DatasetPanel(Session& session, FileOpener& opener, QWidget* parent = nullptr);
  ~DatasetPanel() override;

  /// Starts editing the dataset at `position` in the session; discards unapplied input.
  void edit(std::size_t position);
  [[nodiscard]] const DatasetPtr& dataset() const { return dataset_; }
  [[nodiscard]] QString unsavedEdits() const override;
  [[nodiscard]] bool canSaveEdits() const override;
  void saveEdits() override;
  void discardEdits() override { edit_ = unedited_; }

 private:
  void refresh();
  void follow();

  FileOpener& opener_;
  Session& session_;
  DatasetPtr dataset_;
  DatasetEdit edit_;      ///< written by the form
  DatasetEdit unedited_;  ///< as the form was filled

  QLabel* specification_;
  QLabel* facts_;
  QLabel* problem_;
  OptionsForm* form_;
  QPushButton* apply_;
};

}  // namespace dubito
