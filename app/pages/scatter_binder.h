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

/// Keeps a scatter plot and the session the same: a dragged rectangle selects items on all pages,
/// a click chooses the primary item, and what is selected elsewhere is marked in the plot.
class ScatterBinder : public QObject {
  Q_OBJECT
 public:
  /// Names what the items of a rectangle have in common.
  using RectangleName = std::function<QString(const ScatterRectangle&)>;

  /// All three outlive the binder.
  ScatterBinder(Session& session, WorkerThread& worker, ScatterPlot& plot,
                RectangleName rectangle_name);
  ~ScatterBinder() override;

  /// What the plot's points are; null: nothing. The plot shows them already.
  void setData(ScatterDataPtr data);
  /// Marks what is selected and chosen in a plot whose picture was made anew of the same points.
  void markAgain();
  /// Drops what was being selected or marked: the plot is about to show something else.
  void abandon();

 Q_SIGNALS:
  /// Other points are marked, or none any more.
  void marked();

 private:
  /// The points are those of the run that the pages show, not still of one before.
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
  PickedItems picked_;  ///< what the rectangle in the plot selected
};

}  // namespace dubito
