// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <optional>

#include "app/jobs/newest_job.h"
#include "app/jobs/worker_thread.h"
#include "app/session/session.h"

namespace dubito {

/// Computes what must follow the mouse and puts it into the session: the plots' overview of the
/// selected items, the operating point of the threshold on the ROC curve, and the reliability
/// diagram with changed options. Each takes a pass over all items, on worker threads; while the
/// mouse is dragged, only the newest position is computed.
class Brushing : public QObject {
  Q_OBJECT
 public:
  /// `session` must outlive this; `threads` share each pass over the items.
  Brushing(Session& session, int threads, QObject* parent = nullptr);

  /// Previews the selection of a range while it is dragged, without changing the selection. For
  /// many items the curves come from a sample, and the areas under them are not computed.
  void previewRange(Measure measure, Interval range);

  /// Ends the preview and shows the selection exactly, even if it did not change.
  void endPreview();

  /// Moves the threshold to the point (x, y) of a curve and selects the items retained there.
  void selectRetained(Measure measure, RankingCurve curve, double x, double y);

  /// Whether nothing is being computed.
  [[nodiscard]] bool settled() const;

 private:
  void rankItems();
  void makeColumns();
  void makeReliability();
  void binItems();
  /// Overview of the preview if active, else of the selection.
  void summarise();
  void findOperatingPoint();

  Session& session_;
  int threads_;
  // Of the shown analysis; null until computed.
  SelectionColumnsPtr columns_;
  JudgedItemsPtr judged_;  ///< bin and outcome of each item in the newest reliability diagram
  ItemRankingsPtr rankings_;
  /// Of a sample small enough for curves that follow the mouse.
  ItemRankingsPtr preview_rankings_;
  std::optional<ItemQuery> preview_;  ///< selection being dragged
  WorkerThread thread_;               ///< outlives the jobs on it
  WorkerThread ranking_thread_;       ///< separate: sorting must not delay the preview
  NewestJob selection_job_;
  NewestJob columns_job_;
  NewestJob judging_job_;
  NewestJob operating_job_;
  NewestJob ranking_job_;
  NewestJob point_job_;
  NewestJob reliability_job_;
};

}  // namespace dubito
