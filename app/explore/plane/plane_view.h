// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "app/explore/plane/plane_data.h"
#include "app/explore/plane/scatter_binder.h"
#include "app/jobs/job.h"
#include "app/jobs/window_jobs.h"
#include "app/session/session.h"
#include "app/workbench/run_computer.h"
#include "widgets/scatter_plot.h"

class QComboBox;
class QLabel;

namespace dubito {

/// Items with two-dimensional inputs as points in the plane. The background shows the predicted
/// class or any measure over the plane. Dragging selects items on all pages.
class PlaneView : public QWidget {
  Q_OBJECT
 public:
  /// All arguments outlive the view.
  PlaneView(Session& session, WindowJobs& jobs, RunComputer& computer, QWidget* parent = nullptr);
  ~PlaneView() override;

  /// True if the items of the run shown have two-dimensional inputs.
  [[nodiscard]] bool isPlanar() const { return points_ != nullptr; }
  /// True while coordinates are being read or the network is being evaluated over the plane.
  [[nodiscard]] bool busy() const {
    return isActive(points_job_.state()) || isActive(field_job_.state());
  }
  [[nodiscard]] const PlaneFieldPtr& field() const { return field_; }

 Q_SIGNALS:
  /// Emitted when points become available or unavailable.
  void planarChanged(bool planar);
  void failed(const QString& message);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void readPoints();
  void setPoints(const ScatterDataPtr& points);
  /// Starts computing the background field, unless it exists, is being computed or cannot be
  /// computed, or the view is hidden.
  void requestField();
  void setField(const PlaneFieldPtr& field);
  void fillMeasures();
  [[nodiscard]] std::optional<Measure> chosenMeasure() const;
  void rebuildPlot();
  void showCaption();

  WindowJobs& jobs_;
  RunComputer& computer_;
  Session& session_;
  WorkerThread mark_thread_;  ///< separate, so that marking points does not wait for file reads
  Job points_job_;
  Job field_job_;
  QComboBox* colors_;
  QLabel* caption_;
  ScatterPlot* plot_;
  std::unique_ptr<ScatterBinder> binder_;
  AnalysisPtr requested_;  ///< run whose points were requested
  ScatterDataPtr points_;
  PlaneFieldPtr field_;
};

}  // namespace dubito
