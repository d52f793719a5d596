// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "app/jobs/worker_thread.h"
#include "app/labs/lab_view.h"
#include "app/labs/sampler/sampler_runner.h"

class QBoxLayout;
class QCheckBox;
class QComboBox;
class QLabel;

namespace dubito {

class Card;
class CurvePlot;
class DensityPathPlot;
class KeyValueList;
class LabBar;
class OptionsForm;
class ValueSlider;
struct PlaneDensity;

/// The sampler laboratory: chains that draw from a density in two dimensions, and what tells
/// whether they have converged.
class LabSampler : public LabView {
  Q_OBJECT
 public:
  /// `worker` must outlive this. `threads`: how many threads the chains may use.
  LabSampler(WorkerThread& worker, int threads, QWidget* parent = nullptr);
  ~LabSampler() override;

  void begin() override;
  [[nodiscard]] bool busy() const override { return runner_->busy(); }
  [[nodiscard]] nlohmann::json setUp() const override;
  [[nodiscard]] Status applySetUp(const nlohmann::json& set_up) override;
  [[nodiscard]] SamplerRunner& runner() { return *runner_; }

 private:
  [[nodiscard]] QWidget* buildSetUp();
  [[nodiscard]] QWidget* buildResults();
  void buildPlots(QBoxLayout& row);
  void connectParts();
  /// Density and sampler were chosen: other options belong to them.
  void showOptions();
  /// Enables the options that have an effect.
  void enableOptions();
  void changeOption(const QString& name);
  /// The step size is used as given, not adapted.
  void setStepSize(double step_size);
  void showPicture();
  void showState();

  SamplerRunner* runner_;
  bool begun_ = false;
  SamplerScenePtr shown_scene_;  ///< of `density_`
  std::shared_ptr<const PlaneDensity> density_;

  QComboBox* densities_;
  QLabel* density_text_;
  QComboBox* samplers_;
  QLabel* sampler_text_;
  OptionsForm* form_;
  QCheckBox* laplace_;
  QCheckBox* mean_field_;
  LabBar* bar_;
  ValueSlider* step_size_;
  QLabel* notes_;
  Card* density_card_;
  DensityPathPlot* plot_;
  Card* trace_card_;
  CurvePlot* trace_;
  Card* autocorrelation_card_;
  CurvePlot* autocorrelation_;
  Card* numbers_card_;
  KeyValueList* numbers_;
};

}  // namespace dubito
