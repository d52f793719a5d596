// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/jobs/job.h"
#include "app/jobs/window_jobs.h"
#include "app/page/page.h"
#include "app/session/session.h"
#include "core/analysis/comparison.h"
#include "core/metrics/paired_difference.h"

class QLabel;
class QPushButton;

namespace dubito {

class Card;
class CompareTable;
class CurvePlot;
class ScatterCard;

/// Compares all runs: a table of metrics (mean and standard deviation over seeds), the difference
/// between the selected run and the run shown, overlaid curves, and a scatter plot of two runs.
class ComparePage : public Page {
  Q_OBJECT
 public:
  /// The arguments outlive the page.
  ComparePage(Session& session, WindowJobs& jobs, QWidget* parent = nullptr);

 Q_SIGNALS:
  /// Asks the window to open the Images page, because images were selected.
  void imagesRequested();

 private:
  /// Comparison of another run with the run shown.
  struct Difference {
    std::string other;  ///< name of the run compared with the run shown
    Expected<PairedComparison> comparison;
    /// Whether the predicted classes differ, for each row of the run shown.
    std::shared_ptr<const std::vector<bool>> disagreements;
  };
  void showRuns();
  void fillTable();
  void showCurves();
  void showSecondCurves();
  void showDifference(int row);
  void describeDifference(const Difference& difference);
  void offerDisagreements(const Difference& difference);
  [[nodiscard]] AnalysisPtr shownRun() const { return session_.activeAnalysis(); }

  Session& session_;
  Job difference_job_;
  std::vector<ComparedRun> runs_;
  std::vector<AnalysisPtr> listed_;        ///< the analyses behind runs_
  std::vector<std::string> listed_names_;  ///< user-given names
  AnalysisPtr listed_as_shown_;            ///< run shown when the table was filled
  int score_ = 0;                          ///< index of the score for the ROC and rejection curves
  bool shows_reliability_ = false;  ///< the second card shows reliability instead of rejection
  Card* table_card_;
  CompareTable* table_;
  QLabel* difference_;
  QPushButton* disagreements_;
  PickedItems offered_;  ///< the items that disagreements_ selects
  Card* roc_card_;
  CurvePlot* roc_;
  Card* rejection_card_;
  CurvePlot* rejection_;
  ScatterCard* scatter_;
};

}  // namespace dubito
