// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <optional>

#include "app/jobs/newest_job.h"
#include "app/jobs/worker_thread.h"
#include "app/session/session.h"

namespace dubito {

/// What must follow the mouse: tells the session what its plots say of the selected items, where
/// the threshold stands on the ROC curve, and how reliable the run is under other options. All take
/// a pass over all items, on a thread of their own; while a mouse is dragged the newest position
/// wins.
class Brushing : public QObject {
  Q_OBJECT
 public:
  /// `session` outlives this; `threads` share the pass over the items.
  Brushing(Session& session, int threads, QObject* parent = nullptr);

  /// Shows what the plots would say if that range were selected, as while it is dragged; the
  /// selection itself stays. The curves are those of a sample of many items, and the areas under
  /// them wait for the selection.
  void previewRange(Measure measure, Interval range);

  /// The range was let go: what is selected is shown exactly, also where it was selected before.
  void endPreview();

  /// Moves the threshold to where a curve passes (x, y), and selects what it keeps there.
  void selectUpTo(Measure measure, RankingCurve curve, double x, double y);

  /// Nothing is being computed.
  [[nodiscard]] bool settled() const;

 private:
  void rankItems();
  void makeColumns();
  void makeReliability();
  void judgeItems();
  /// Of the preview where there is one, else of the selection.
  void summarise();
  void findOperatingPoint();

  Session& session_;
  int threads_;
  /// Of the shown analysis; null until they are made.
  SelectionColumnsPtr columns_;
  /// By the newest reliability diagram of it; null until they are made.
  JudgedItemsPtr judged_;
  /// Of the shown analysis; null until they are made.
  ItemRankingsPtr rankings_;
  /// Of so many of its items that their curves follow a mouse.
  ItemRankingsPtr preview_rankings_;
  std::optional<ItemQuery> preview_;  ///< what is being dragged
  WorkerThread thread_;               ///< outlives the jobs on it
  WorkerThread ranking_thread_;       ///< sorting must not hold up what follows the mouse
  NewestJob selection_job_;
  NewestJob columns_job_;
  NewestJob judging_job_;
  NewestJob operating_job_;
  NewestJob ranking_job_;
  NewestJob point_job_;
  NewestJob reliability_job_;
};

}  // namespace dubito
