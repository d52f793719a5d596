// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/labs/lab_methods_view.h"
#include "app/labs/lab_points.h"
#include "app/labs/regression/regression_runner.h"
#include "widgets/band_plot.h"
#include "widgets/density_path_plot.h"

class QLabel;

namespace dubito {

class LabAxes;
class LabCourseCard;

/// Chooses the points of the regression laboratory, among them the CO2 sample, and the options that
/// all methods share.
class LabRegressionData : public LabPointsOf<RegressionKind> {
 public:
  LabRegressionData(WorkerThread& worker, RegressionLabOptions& options, QWidget* parent);
};

/// The regression laboratory: points, several methods that learn from them at once, one plot per
/// method, and a table of scores.
class LabRegression : public LabMethodsView<RegressionRunner, LabRegressionData, BandPlot> {
 public:
  explicit LabRegression(const LabParts& parts, QWidget* parent = nullptr);

  void setPresented(bool presented) override;
  [[nodiscard]] nlohmann::json setUp() const override;
  [[nodiscard]] Status applySetUp(const nlohmann::json& set_up) override;
  [[nodiscard]] nlohmann::json defaults() const override;

 private:
  [[nodiscard]] int columnsOf(int count) const override;
  void showPlot(std::size_t index) override;
  void showCommon() override;
  [[nodiscard]] CompareTableValue tableValue() const override;
  void showDetails() override;
  [[nodiscard]] QString tableCaption() const override;
  void forgetSource(RegressionData& edited) const override;
  void forgetLabels(RegressionData& edited) const override;
  void addPoint(double x, double y, RegressionData& edited) const override;
  void completeOwn(RegressionData& edited) const override;
  void keepAxes() override;
  void releaseAxes() override;
  void addShown(RegressionPreset& preset) const override;
  void showPreset(const RegressionPreset& preset) override;
  /// The weights of the first method that is linear in two of them; without one, their card is
  /// hidden.
  void showWeights();
  /// Adds sliders to the options of method `index` if it has a kernel.
  void addKernelSliders(std::size_t index);
  /// The axes of all plots.
  [[nodiscard]] RegressionAxes shownAxes() const;
  /// Shows these axes, or those of the data.
  void setAxes(const std::optional<RegressionAxes>& axes);
  /// All points of the data, whoever drew them.
  void fitAxes();

  LabAxes* axes_bar_;
  QLabel* legend_;
  LabCourseCard* course_;
  LabCard<DensityPathPlot> weights_;
  bool has_weights_ = false;
  /// What the user chose or draws on; nullopt: they follow the data.
  std::optional<RegressionAxes> axes_;
};

}  // namespace dubito
