// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/jobs/job.h"
#include "core/labs/classification/classification_lab.h"
#include "core/labs/data/class_data.h"
#include "widgets/class_map_plot.h"

class QButtonGroup;
class QComboBox;
class QLabel;

namespace dubito {

class OptionsForm;

/// Chooses the points of the classification laboratory: presets, a CSV file, the clipboard, and
/// points that are drawn with the mouse, one class at a time. Files are read in the background.
class LabClassificationData : public QWidget {
  Q_OBJECT
 public:
  /// `options` are edited by the form; they and `worker` must outlive this.
  LabClassificationData(WorkerThread& worker, ClassificationLabOptions& options,
                        QWidget* parent = nullptr);

  /// Opens the chosen preset or file with `seed`.
  void open(std::uint64_t seed);
  /// Selects a preset or file by its specification and opens it.
  void choose(const QString& specification, std::uint64_t seed);
  [[nodiscard]] QString specification() const;
  [[nodiscard]] bool hasOwnPoints() const;
  /// Shows the values of the options after they were changed elsewhere.
  void reloadOptions();
  /// Shows that the points were drawn by hand, and which classes they have.
  void showOwnPoints(const ClassData& points);
  [[nodiscard]] ClassMapPlot::PointTool pointTool() const;
  /// The class of new points.
  [[nodiscard]] std::int64_t chosenClass() const;
  [[nodiscard]] bool busy() const { return isActive(job_.state()); }

 Q_SIGNALS:
  void opened(const dubito::ClassData& points);
  void failed(const QString& message);
  void pointToolChanged(dubito::ClassMapPlot::PointTool tool);
  /// An option that concerns maps alone has changed.
  void mapsChanged();

 private:
  void openFile();
  void paste();
  /// Shows the notes and the names of the classes.
  void show(const ClassData& points);
  void enableOptions();

  Job job_;
  ClassificationLabOptions& options_;
  std::uint64_t seed_ = 0;
  int last_index_ = 0;  ///< last choice that has points
  QComboBox* sets_;
  QLabel* notes_;
  QButtonGroup* tools_;
  QComboBox* classes_;
  OptionsForm* form_;
};

}  // namespace dubito
