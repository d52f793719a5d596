// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <memory>

#include "app/jobs/job.h"
#include "app/labs/lab_view.h"
#include "app/labs/rotation/lab_rotation_source.h"
#include "app/session/session.h"
#include "core/labs/rotation/rotation_lab.h"

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace dubito {

class ImageGallery;
class OptionsForm;

/// The laboratory "Rotated digit": what a network says about one image while it is turned, made
/// noisy, ..., or blended into another one.
class LabRotation : public LabView {
 public:
  explicit LabRotation(const LabParts& parts, QWidget* parent = nullptr);

  void begin() override;
  [[nodiscard]] bool busy() const override { return isActive(job_.state()); }
  [[nodiscard]] nlohmann::json setUp() const override;
  [[nodiscard]] Status applySetUp(const nlohmann::json& set_up) override;
  /// What is shown; null: nothing.
  [[nodiscard]] const std::shared_ptr<const RotationResult>& result() const { return result_; }

 private:
  /// What a computation gives.
  struct Outcome {
    RotationSource source;
    std::shared_ptr<const RotationResult> result;
    RotationOptions options;
  };

  [[nodiscard]] QWidget* buildSetUp();
  [[nodiscard]] QWidget* buildResults();
  void connectParts();
  /// Lists the models and datasets of the session.
  void showSources();
  void showItemRange();
  /// Takes over the chosen change.
  void chooseChange();
  /// Shows the fields of the change.
  void showChange();
  void compute();
  void deliver(const Expected<Outcome>& outcome);
  void showResult();
  /// Shows whether it is running; `progress`: what it does.
  void showRunning(const QString& progress = {});

  Session& session_;
  RunComputer& computer_;
  Job job_;
  RotationOptions options_;
  std::shared_ptr<const RotationResult> result_;
  RotationOptions shown_options_;  ///< of result_
  QString error_;
  bool begun_ = false;

  LabRotationSource* sources_;
  QSpinBox* item_;
  QComboBox* changes_;
  QLabel* to_label_;
  QSpinBox* to_;
  QSpinBox* seed_;
  OptionsForm* form_;
  QPushButton* run_;
  /// Every change starts a run by itself: a button that became Cancel at once would be hit by those
  /// who press Run after typing.
  QTimer patience_{this};
  QLabel* status_;
  QLabel* sentence_;
  QLabel* notes_;
  LabCard<CurvePlot> inputs_;
  LabCard<CurvePlot> outputs_;
  LabCard<CurvePlot> uncertainty_;
  Card* steps_card_;
  ImageGallery* steps_;
};

}  // namespace dubito
