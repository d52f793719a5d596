// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "app/labs/experiment_view.h"
#include "core/labs/dropout_rate/dropout_rate_lab.h"

namespace dubito {

/// What RateRunner plays. A unit of work is one step of every run and grid point.
struct RateExperiment : LabExperiment<DropoutRateOptions, DropoutRateLab, DropoutRatePicture> {
  [[nodiscard]] Expected<std::shared_ptr<Lab>> start(std::uint64_t seed, RunContext&) const {
    return DropoutRateLab::start(options, seed);
  }
  [[nodiscard]] static Picture picture(const Lab& lab, RunContext& context) {
    return lab.picture(context);
  }
};
using RateRunner = ExperimentRunner<RateExperiment>;

/// The laboratory "Dropout rate": the ELBO against the probability that a unit is kept, and runs
/// that learn it from several starts.
class LabDropoutRate : public ExperimentView<RateRunner> {
 public:
  explicit LabDropoutRate(const LabParts& parts, QWidget* parent = nullptr);

 protected:
  void showOptions() override;
  void showPicture() override;
  [[nodiscard]] LabBar::StateTexts stateTexts() const override;

 private:
  [[nodiscard]] QWidget* buildSetUp();
  [[nodiscard]] QWidget* buildResults();
  void chooseEstimator();
  /// Names the remedy that the options are.
  void showRemedy();

  QComboBox* estimators_;
  QComboBox* remedies_;
  QLabel* remedy_text_;
  OptionsForm* form_;
  QLabel* sentence_;
  QLabel* formula_;
  QLabel* notes_;
  LabCard<CurvePlot> elbo_;
  LabCard<CurvePlot> keep_;
  LabCard<CurvePlot> trace_;
};

}  // namespace dubito
