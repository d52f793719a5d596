// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <optional>

#include "app/jobs/newest_job.h"
#include "app/jobs/worker_thread.h"
#include "app/session/session.h"
#include "core/analysis/range_index.h"

namespace dubito {

/// Computes the values that follow the mouse and stores them in the session: the overview of the
/// selected items for the plots, the operating point of the threshold on the ROC curve, and the
/// reliability diagram after its options change. Each value requires a pass over all items, which
/// worker threads share. While the mouse is dragged, positions passed in the meantime are skipped.
class Brushing : public QObject {
  Q_OBJECT
 public:
  /// `session` must outlive this object. The threads of `settings` share a pass.
  Brushing(Session& session, const JobSettings& settings, QObject* parent = nullptr);

  /// Shows the selection that dragging a range would make, without changing the selection, and its
  /// curves without the areas under them. An index of the measure is made in the meantime; until it
  /// is ready, curves of very many items are computed from a sample.
  void previewRange(Measure measure, Interval range);

  /// Ends the preview and computes the exact overview of the selection, even if the selection has
  /// not changed.
  void endPreview();

  /// Moves the threshold of `measure` to the point (x, y) of a curve and selects the items retained
  /// at this threshold.
  void selectRetained(Measure measure, RankingCurve curve, double x, double y);

  /// Whether nothing is being computed.
  [[nodiscard]] bool settled() const;

 private:
  void rankItems();
  void makeColumns();
  void makeReliability();
  void binItems();
  /// The index that answers the preview; null if there is none. Begins to make one if that would
  /// help.
  [[nodiscard]] RangeIndexPtr indexOfPreview(const AnalysisPtr& analysis,
                                             const SelectionBasis& basis);
  /// Overview of the preview if active, else of the selection.
  void summarise();
  void findOperatingPoint();

  Session& session_;
  JobSettings settings_;
  // All of the shown analysis; null until computed.
  SelectionColumnsPtr columns_;
  JudgedItemsPtr judged_;  ///< bin and outcome of each item in the newest reliability diagram
  ItemRankingsPtr rankings_;
  /// Rankings of a sample that is small enough for curves to follow the mouse.
  ItemRankingsPtr preview_rankings_;
  RangeIndexPtr range_index_;         ///< of the measure that was dragged last; null: none yet
  std::optional<ItemQuery> preview_;  ///< the selection previewed while dragging
  WorkerThread thread_;               ///< outlives the jobs on it
  WorkerThread ranking_thread_;       ///< separate: sorting must not delay the preview
  NewestJob selection_job_;
  NewestJob columns_job_;
  NewestJob judging_job_;
  NewestJob operating_job_;
  NewestJob ranking_job_;
  NewestJob index_job_;
  NewestJob point_job_;
  NewestJob reliability_job_;
};

}  // namespace dubito
