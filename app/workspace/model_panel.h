// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include "app/compute/setup_panel.h"
#include "app/jobs/newest_job.h"
#include "app/jobs/worker_thread.h"
#include "app/session/preprocessing_edit.h"
#include "app/session/session.h"
#include "app/workbench/file_opener.h"

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QVBoxLayout;

namespace dubito {

class ImageView;
class OptionsForm;

/// Panel that edits a model's preprocessing (size, value range, channels) and class names, with a
/// preview of the network input for the current image. The settings are saved next to the model.
class ModelPanel : public SetupPanel {
  Q_OBJECT
 public:
  /// The arguments outlive the panel.
  ModelPanel(Session& session, FileOpener& opener, QWidget* parent = nullptr);
  ~ModelPanel() override;

  /// Starts editing `model`; discards unsaved input.
  void edit(const ModelPtr& model);
  [[nodiscard]] const ModelPtr& model() const { return model_; }
  [[nodiscard]] QString unsavedEdits() const override;
  [[nodiscard]] bool canSaveEdits() const override;
  void saveEdits() override;
  void discardEdits() override { edit(model_); }
  /// True if the preview matches the form.
  [[nodiscard]] bool previewSettled() const;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void buildPreview(QVBoxLayout& layout);
  void refresh();
  void preview();
  void applyPreset(int preset);
  /// Closes the panel if its model was closed; if it was replaced, edits that one.
  void follow();
  /// The item to preview, as a dataset and an index: the item selected in the browsed dataset or in
  /// the run, else in the active dataset. The dataset is null if none is open.
  [[nodiscard]] std::pair<DatasetPtr, std::int64_t> currentItem() const;

  FileOpener& opener_;
  Session& session_;
  WorkerThread preview_thread_;  ///< outlives preview_job_
  NewestJob preview_job_;
  ModelPtr model_;
  bool is_closed_ = false;      ///< model_ is not open any more
  PreprocessingEdit edit_;      ///< written by the form
  PreprocessingEdit unedited_;  ///< as the form was filled
  QTimer pause_;                ///< delays the preview until typing pauses

  QLabel* source_;
  QComboBox* preset_;
  OptionsForm* form_;
  QPlainTextEdit* classes_;
  ImageView* stored_;
  ImageView* network_input_;
  QLabel* values_;
  QLabel* problem_;
  QPushButton* save_;
};

}  // namespace dubito
