// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <functional>

#include "app/jobs/job.h"
#include "app/session/session.h"
#include "core/analysis/scatter_data.h"
#include "widgets/scatter_plot.h"

namespace dubito {

/// Keeps a scatter plot in sync with the session. Dragging a rectangle selects its items on all
/// pages, and clicking a point makes it the primary item. Selections made elsewhere are marked in
/// the plot.
class ScatterBinder : public QObject {
  Q_OBJECT
 public:
  /// Returns the name of the selection made with a rectangle.
  using RectangleName = std::function<QString(const ScatterRectangle&)>;

  /// The first three arguments must outlive the binder.
  ScatterBinder(Session& session, WorkerThread& worker, ScatterPlot& plot,
                RectangleName rectangle_name);
  ~ScatterBinder() override;

  /// Sets the data from which the plot was built; null if the plot is empty. Call it after
  /// ScatterPlot::setScatter().
  void setData(ScatterDataPtr data);
  /// Restores the marks after the plot was rebuilt from the same points.
  void restoreMarks();
  /// Cancels selecting and marking that are still in progress. Call it before the plot shows other
  /// data.
  void abandon();

 Q_SIGNALS:
  /// The marked points have changed.
  void marked();

 private:
  /// True if the points belong to the active run; false while the data of a new run are loading.
  [[nodiscard]] bool showsActiveRun() const;
  void select(const ScatterRectangle& rectangle);
  void showQuery();
  void showItems();
  void showPrimary();

  Session& session_;
  ScatterPlot& plot_;
  RectangleName rectangle_name_;
  Job select_job_;
  Job mark_job_;
  ScatterDataPtr data_;
  PickedItems picked_;  ///< items selected by the rectangle in the plot
};

}  // namespace dubito
