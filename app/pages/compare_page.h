// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <string>
#include <vector>

#include "app/jobs/job.h"
#include "app/session/workbench.h"
#include "core/analysis/comparison.h"
#include "core/metrics/paired_difference.h"

class QLabel;
class QPushButton;

namespace dubito {

class Card;
class CompareTable;
class CurvePlot;
class ScatterCard;

/// All computed runs side by side: their metrics, with mean and deviation over seeds, the
/// difference of one run from the run shown, overlaid curves, and a scatter plot of the items of
/// two runs.
class ComparePage : public QWidget {
  Q_OBJECT
 public:
  /// `workbench` outlives the page.
  explicit ComparePage(Workbench& workbench, QWidget* parent = nullptr);

 Q_SIGNALS:
  void failed(const QString& message);
  /// Images were selected: open the Images page.
  void imagesRequested();

 private:
  /// Comparison of another run with the run shown.
  struct Difference {
    std::string other;  ///< name of the other run
    Expected<PairedComparison> comparison;
    std::shared_ptr<const std::vector<bool>> disagreements;  ///< by row of the run shown
  };
  void showRuns();
  void fillTable();
  void showCurves();
  void showSecondCurves();
  void showDifference(int row);
  void describeDifference(const Difference& difference);
  void offerDisagreements(const Difference& difference);
  [[nodiscard]] AnalysisPtr shownRun() const { return session_.activeAnalysis(); }

  Workbench& workbench_;
  Session& session_;
  Job difference_job_;
  std::vector<ComparedRun> runs_;
  std::vector<AnalysisPtr> listed_;        ///< the analyses behind runs_
  std::vector<std::string> listed_names_;  ///< user-given names
  AnalysisPtr listed_as_shown_;
  int score_ = 0;                   ///< index of the score of the curves
  bool shows_reliability_ = false;  ///< instead of rejection
  Card* table_card_;
  CompareTable* table_;
  QLabel* difference_;
  QPushButton* disagreements_;
  PickedItems offered_;  ///< the items the button selects
  Card* roc_card_;
  CurvePlot* roc_;
  Card* rejection_card_;
  CurvePlot* rejection_;
  ScatterCard* scatter_;
};

}  // namespace dubito
