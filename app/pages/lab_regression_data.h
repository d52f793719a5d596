// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "app/jobs/job.h"
#include "core/labs/data/regression_data.h"
#include "core/labs/regression/regression_lab.h"
#include "widgets/band_plot.h"

class QButtonGroup;
class QComboBox;
class QLabel;

namespace dubito {

class OptionsForm;

/// Chooses the points of the regression laboratory: presets, the CO2 sample, a CSV file, the
/// clipboard, and points that are drawn with the mouse. Files are read in the background.
class LabRegressionData : public QWidget {
  Q_OBJECT
 public:
  /// `options` are edited by the form; they and `worker` must outlive this.
  LabRegressionData(WorkerThread& worker, RegressionLabOptions& options, QWidget* parent = nullptr);

  /// Opens the chosen preset or file with `seed`.
  void open(std::uint64_t seed);
  /// Selects a preset or file by its specification and opens it.
  void choose(const QString& specification, std::uint64_t seed);
  [[nodiscard]] QString specification() const;
  [[nodiscard]] bool hasOwnPoints() const;
  /// Shows the values of the options after they were changed elsewhere.
  void reloadOptions();
  /// Shows that the points were drawn by hand.
  void showOwnPoints(const RegressionData& points);
  [[nodiscard]] BandPlot::PointTool pointTool() const;
  [[nodiscard]] bool busy() const { return isActive(job_.state()); }

 Q_SIGNALS:
  void opened(const dubito::RegressionData& points);
  void failed(const QString& message);
  void pointToolChanged(dubito::BandPlot::PointTool tool);
  /// An option that all methods share has changed.
  void optionsChanged();

 private:
  void openFile();
  void paste();
  void showNotes(const RegressionData& points);

  Job job_;
  RegressionLabOptions& options_;
  std::uint64_t seed_ = 0;
  int last_index_ = 0;  ///< last choice that has points
  QComboBox* sets_;
  QLabel* notes_;
  QButtonGroup* tools_;
  OptionsForm* form_;
};

}  // namespace dubito
