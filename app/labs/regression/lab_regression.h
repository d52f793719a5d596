// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/worker_thread.h"
#include "app/labs/lab_methods_view.h"
#include "app/labs/regression/lab_regression_data.h"
#include "app/labs/regression/regression_runner.h"
#include "widgets/band_plot.h"

class QLabel;

namespace dubito {

/// The regression laboratory: points, several methods that learn from them at once, one plot per
/// method, and a table of scores.
class LabRegression : public LabMethodsView<RegressionRunner, LabRegressionData, BandPlot> {
  Q_OBJECT
 public:
  /// `worker` must outlive this. `threads`: how many threads a method may use.
  LabRegression(WorkerThread& worker, int threads, QWidget* parent = nullptr);
  ~LabRegression() override;

 private:
  [[nodiscard]] int columnsOf(int count) const override;
  void showPlot(std::size_t index) override;
  void showCommon() override;
  [[nodiscard]] CompareTableValue tableValue() const override;
  [[nodiscard]] QString tableCaption() const override;
  void forgetSource(RegressionData& edited) const override;
  void addPoint(double x, double y, RegressionData& edited) const override;

  QLabel* legend_;
};

}  // namespace dubito
