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

/// All computed runs side by side: their metrics, with mean and deviation over seeds; by how much
/// one differs from the run that is shown; their curves over each other; and each item of two runs
/// as a point.
class ComparePage : public QWidget {
  Q_OBJECT
 public:
  /// `workbench` outlives the page.
  explicit ComparePage(Workbench& workbench, QWidget* parent = nullptr);

 Q_SIGNALS:
  void failed(const QString& message);
  /// Images were selected: show them large.
  void imagesRequested();

 private:
  /// What is found out about a run beside the one shown.
  struct Difference {
    std::string other;  ///< name of the run
    Expected<PairedComparison> comparison;
    std::shared_ptr<const std::vector<bool>> disagreements;  ///< by row of the one shown
  };
  void showRuns();
  void fillTable();
  void showCurves();
  void showSecondCurves();
  void showDifference(int row);
  void tellDifference(const Difference& difference);
  void offerDisagreements(const Difference& difference);
  [[nodiscard]] AnalysisPtr shownRun() const { return session_.activeAnalysis(); }

  Workbench& workbench_;
  Session& session_;
  Job difference_job_;
  std::vector<ComparedRun> runs_;
  std::vector<AnalysisPtr> listed_;        ///< what runs_ was made of
  std::vector<std::string> listed_names_;  ///< given by the user
  AnalysisPtr listed_as_shown_;
  int score_ = 0;                   ///< number of the score that the curves are by
  bool shows_reliability_ = false;  ///< in the place of rejection
  Card* table_card_;
  CompareTable* table_;
  QLabel* difference_;
  QPushButton* disagreements_;
  PickedItems offered_;  ///< what the button shows
  Card* roc_card_;
  CurvePlot* roc_;
  Card* rejection_card_;
  CurvePlot* rejection_;
  ScatterCard* scatter_;
};

}  // namespace dubito
