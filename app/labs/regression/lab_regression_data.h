// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/labs/lab_points.h"
#include "core/labs/data/regression_data.h"
#include "core/labs/regression/regression_lab.h"

namespace dubito {

class OptionsForm;

/// Chooses the points of the regression laboratory, among them the CO2 sample, and the options that
/// all methods share.
class LabRegressionData : public LabPoints {
  Q_OBJECT
 public:
  /// `options` are edited by the form; they and `worker` must outlive this.
  LabRegressionData(WorkerThread& worker, RegressionLabOptions& options, QWidget* parent = nullptr);

  /// Shows the values of the options after they were changed elsewhere.
  void reloadOptions();
  /// Shows that the points were drawn by hand.
  void showOwnPoints(const RegressionData& points) { markOwn(points.notes); }

 Q_SIGNALS:
  void opened(const dubito::RegressionData& points);
  /// An option that all methods share has changed.
  void optionsChanged();

 protected:
  void startReading(const std::string& specification, std::uint64_t seed, bool is_pasted) override;

 private:
  RegressionLabOptions& options_;
  OptionsForm* form_;
};

}  // namespace dubito
