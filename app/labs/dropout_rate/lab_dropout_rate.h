// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/labs/dropout_rate/rate_runner.h"
#include "app/labs/lab_view.h"

class QComboBox;
class QLabel;

namespace dubito {

class Card;
class CurvePlot;
class LabBar;
class OptionsForm;

/// The laboratory "Dropout rate": the ELBO against the probability that a unit is kept, and runs
/// that learn it from several starts.
class LabDropoutRate : public LabView {
  Q_OBJECT
 public:
  /// `worker` must outlive this. `threads`: how many threads the runs may use.
  LabDropoutRate(WorkerThread& worker, int threads, QWidget* parent = nullptr);
  ~LabDropoutRate() override;

  void begin() override;
  [[nodiscard]] bool busy() const override { return runner_->busy(); }
  [[nodiscard]] nlohmann::json setUp() const override;
  [[nodiscard]] Status applySetUp(const nlohmann::json& set_up) override;
  [[nodiscard]] RateRunner& runner() { return *runner_; }

 private:
  [[nodiscard]] QWidget* buildSetUp();
  [[nodiscard]] QWidget* buildResults();
  void connectParts();
  /// The estimator was chosen: other options belong to it.
  void showOptions();
  /// Names the remedy that the options are.
  void showRemedy();
  void showPicture();
  void showState();

  RateRunner* runner_;
  bool begun_ = false;

  LabBar* bar_;
  QComboBox* estimators_;
  QLabel* estimator_text_;
  QComboBox* remedies_;
  QLabel* remedy_text_;
  OptionsForm* form_;
  QLabel* sentence_;
  QLabel* formula_;
  QLabel* notes_;
  Card* elbo_card_;
  Card* keep_card_;
  Card* trace_card_;
  CurvePlot* elbo_;
  CurvePlot* keep_;
  CurvePlot* trace_;
};

}  // namespace dubito
