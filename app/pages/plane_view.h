// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "app/jobs/job.h"
#include "app/pages/scatter_binder.h"
#include "app/session/plane_data.h"
#include "app/session/workbench.h"
#include "widgets/scatter_plot.h"

class QComboBox;
class QLabel;

namespace dubito {

/// The items of a run whose inputs are two numbers as points of the plane, over the regions of the
/// predicted classes or a map of any measure. Dragging selects items on all pages.
class PlaneView : public QWidget {
  Q_OBJECT
 public:
  /// `workbench` outlives the view.
  explicit PlaneView(Workbench& workbench, QWidget* parent = nullptr);
  ~PlaneView() override;

  /// The run shown has points to show here.
  [[nodiscard]] bool isPlanar() const { return points_ != nullptr; }
  /// Something is still being read or predicted.
  [[nodiscard]] bool busy() const {
    return isActive(points_job_.state()) || isActive(field_job_.state());
  }
  [[nodiscard]] const PlaneFieldPtr& field() const { return field_; }

 Q_SIGNALS:
  /// Whether there are points to show is known anew.
  void planarChanged(bool planar);
  void failed(const QString& message);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void readPoints();
  void takePoints(const ScatterDataPtr& points);
  /// Predicts the field, unless nobody sees it or it is there.
  void needField();
  void takeField(const PlaneFieldPtr& field);
  void fillMeasures();
  [[nodiscard]] std::optional<Measure> chosenMeasure() const;
  void plotAgain();
  void showCaption();

  Workbench& workbench_;
  Session& session_;
  WorkerThread mark_thread_;  ///< marking follows the mouse: it does not wait for files
  Job points_job_;
  Job field_job_;
  QComboBox* colors_;
  QLabel* caption_;
  ScatterPlot* plot_;
  std::unique_ptr<ScatterBinder> binder_;
  AnalysisPtr asked_;  ///< whose points were asked for
  ScatterDataPtr points_;
  PlaneFieldPtr field_;
};

}  // namespace dubito
