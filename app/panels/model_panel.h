// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include "app/jobs/newest_job.h"
#include "app/jobs/worker_thread.h"
#include "app/panels/setup_panel.h"
#include "app/session/preprocessing_edit.h"
#include "app/session/workbench.h"

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QVBoxLayout;

namespace dubito {

class ImageView;
class OptionsForm;

/// Edits a model's preprocessing (size, value range, channels) and class names, with a preview of
/// the network input for the current image. Saved next to the model. Never modal.
class ModelPanel : public SetupPanel {
  Q_OBJECT
 public:
  /// `workbench` outlives the panel.
  explicit ModelPanel(Workbench& workbench, QWidget* parent = nullptr);
  ~ModelPanel() override;

  /// Starts editing an open model; discards earlier input.
  void edit(const ModelPtr& model);
  /// True if the preview matches the form.
  [[nodiscard]] bool previewSettled() const;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void buildPreview(QVBoxLayout& layout);
  void refresh();
  void preview();
  void applyPreset(int preset);
  void save();
  /// The item shown in the window: of the browsed dataset, else of the run, else the first.
  [[nodiscard]] std::pair<DatasetPtr, std::int64_t> currentItem() const;

  Workbench& workbench_;
  Session& session_;
  WorkerThread preview_thread_;  ///< outlives its job
  NewestJob preview_job_;
  ModelPtr model_;
  PreprocessingEdit edit_;  ///< edited by the form
  QTimer pause_;            ///< waits for a pause in typing

  QLabel* source_;
  QComboBox* preset_;
  OptionsForm* form_;
  QPlainTextEdit* classes_;
  ImageView* stored_;
  ImageView* seen_;
  QLabel* values_;
  QLabel* problem_;
  QPushButton* save_;
};

}  // namespace dubito
