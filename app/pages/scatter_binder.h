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

/// Synchronises a scatter plot with the session: a dragged rectangle selects items on all pages, a
/// click chooses the primary item, and selections made elsewhere are marked in the plot.
class ScatterBinder : public QObject {
  Q_OBJECT
 public:
  /// Describes the items of a rectangle.
  using RectangleName = std::function<QString(const ScatterRectangle&)>;

  /// All three outlive the binder.
  ScatterBinder(Session& session, WorkerThread& worker, ScatterPlot& plot,
                RectangleName rectangle_name);
  ~ScatterBinder() override;

  /// The data behind the plot's points; null: none. The plot already shows them.
  void setData(ScatterDataPtr data);
  /// Restores the marks after the plot was rebuilt from the same points.
  void restoreMarks();
  /// Drops pending selections and marks: the plot is about to show other data.
  void abandon();

 Q_SIGNALS:
  /// The marked points have changed.
  void marked();

 private:
  /// True if the points belong to the run shown, not to a previous one.
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
