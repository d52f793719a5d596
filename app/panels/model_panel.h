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

/// Edits what a model is given (size, value range, channels) and what its classes are called, with
/// a picture of what the network sees of the current image. Saved next to the model. Never modal.
class ModelPanel : public SetupPanel {
  Q_OBJECT
 public:
  /// `workbench` outlives the panel.
  explicit ModelPanel(Workbench& workbench, QWidget* parent = nullptr);
  ~ModelPanel() override;

  /// Begins to edit a model that is open; nothing that was typed before stays.
  void edit(const ModelPtr& model);
  /// The preview shows what is in the form.
  [[nodiscard]] bool previewSettled() const;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void buildPreview(QVBoxLayout& layout);
  void refresh();
  void preview();
  void applyPreset(int preset);
  void save();
  /// The item that the window shows: of the browsed dataset, else of the run, else the first.
  [[nodiscard]] std::pair<DatasetPtr, std::int64_t> currentItem() const;

  Workbench& workbench_;
  Session& session_;
  WorkerThread preview_thread_;  ///< outlives the job on it
  NewestJob preview_job_;
  ModelPtr model_;
  PreprocessingEdit edit_;  ///< the form writes into it
  QTimer pause_;            ///< waits until nothing is typed any more

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
