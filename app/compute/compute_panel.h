// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include "app/compute/setup_panel.h"
#include "app/session/session.h"
#include "app/workbench/run_computer.h"
#include "core/base/device.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace dubito {

class MemberList;
class MethodDataForm;
class OodList;
class OptionsForm;
class SiteList;

/// Panel for setting up a computation: method and its options, dropout sites, seed, device. Also
/// shows what the audit found in the model.
class ComputePanel : public SetupPanel {
  Q_OBJECT
 public:
  /// All arguments outlive the panel.
  ComputePanel(Session& session, WindowJobs& jobs, RunComputer& computer,
               QWidget* parent = nullptr);
  ~ComputePanel() override;

  /// Selects a method by name ("mc-dropout", "ensemble").
  void chooseMethod(const QString& name);
  [[nodiscard]] ComputeSettings settings() const;

 Q_SIGNALS:
  /// The computation was started.
  void started();
  /// Asks the window to open the preprocessing of the active model.
  void preprocessingRequested();
  /// Asks the window for a dataset to open with that role: a file, or a folder of images.
  void datasetRequested(dubito::Role role, bool folder);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void buildForm(QVBoxLayout& layout);
  void buildMethodPart(QVBoxLayout& layout);
  void buildRunPart(QVBoxLayout& layout);
  void buildDevicePart(QVBoxLayout& layout);
  void buildModelPart(QVBoxLayout& layout);
  void fillDevices();
  void showMethod();
  void showInactiveFields();
  [[nodiscard]] bool isEnsemble() const;
  void showModel();
  void refresh();
  void start();
  void requestEstimate();

  Session& session_;
  WindowJobs& jobs_;
  RunComputer& computer_;
  DeviceReport devices_;
  ComputeSettings edited_;  ///< written by the forms
  std::int64_t seed_ = 0;
  ModelPtr shown_model_;
  QTimer estimate_timer_;  ///< delays the estimate until typing pauses

  QComboBox* method_;
  QLabel* summary_;
  OptionsForm* method_form_;
  MethodDataForm* data_;
  QLabel* ood_heading_;
  OodList* ood_;
  MemberList* members_;
  QLabel* sites_heading_;
  SiteList* sites_;
  OptionsForm* run_form_;
  QComboBox* device_;
  QLabel* device_note_;
  QCheckBox* isolated_;
  QLabel* isolated_note_;
  QLabel* preprocessing_;
  QPushButton* edit_preprocessing_;
  QLabel* notes_;
  QLabel* estimate_;
  QLabel* classes_note_;
  QLabel* reason_;
  QPushButton* start_;
};

}  // namespace dubito
