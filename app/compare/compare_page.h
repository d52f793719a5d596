// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/compare/table_choices.h"
#include "app/jobs/window_jobs.h"
#include "app/page/page.h"
#include "app/session/session.h"
#include "app/shift/shift_request.h"
#include "core/analysis/comparison.h"
#include "widgets/curve_plot.h"

class QBoxLayout;
class QSettings;

namespace dubito {

class Card;
class CompareTable;
class DifferenceLine;
class ScatterCard;

/// Compares all runs: a table of metrics (mean and standard deviation over seeds), which is the
/// legend of all plots, the difference between the selected run and the run shown, overlaid curves,
/// and a scatter plot of two runs. The page scrolls where its plots would become too small.
class ComparePage : public Page {
  Q_OBJECT
 public:
  /// The arguments outlive the page.
  ComparePage(Session& session, WindowJobs& jobs, QSettings& settings, QWidget* parent = nullptr);

  /// Shows these results of the page Shift, at most one per run and all of the same corruption.
  void setShiftResults(std::vector<ShiftResultPtr> results);

 Q_SIGNALS:
  /// Asks the window to open the Images page, because images were selected.
  void imagesRequested();

 private:
  /// A card with curves of all runs.
  struct Curves {
    Card* card = nullptr;
    CurvePlot* plot = nullptr;
  };
  void buildTable(WindowJobs& jobs);
  void buildChooser(QBoxLayout& line);
  void buildPlots();
  [[nodiscard]] Curves addCurves(const char* name);
  void connectTable();
  void showRuns();
  void fillTable();
  void showCurves();
  void showSecondCurves();
  void showShift();
  /// Shows the curves of the ticked runs; `none` says why there may be none of any run.
  void show(const Curves& where, CurvePlotValue value, const QString& caption, const QString& none);
  void chooseRow(int row);
  [[nodiscard]] AnalysisPtr shownRun() const { return session_.activeAnalysis(); }
  /// The run whose items the curves of all others have to share. There must be runs.
  [[nodiscard]] AnalysisPtr reference() const;
  [[nodiscard]] const ComparedRun& runOf(int row) const {
    return runs_[static_cast<std::size_t>(row)];
  }

  Session& session_;
  TableChoices choices_;
  std::vector<ComparedRun> runs_;
  std::vector<AnalysisPtr> listed_;        ///< the analyses behind runs_
  std::vector<std::string> listed_names_;  ///< user-given names
  AnalysisPtr listed_as_shown_;            ///< run shown when the table was filled
  std::vector<ShiftResultPtr> shift_results_;
  int chosen_ = -1;                 ///< selected row of the table; -1: none
  int score_ = 0;                   ///< index of the score for the ROC and rejection curves
  int shift_quantity_ = 0;          ///< index of the quantity of the shift curves
  bool shows_reliability_ = false;  ///< the second card shows reliability instead of rejection
  Card* table_card_ = nullptr;
  CompareTable* table_ = nullptr;
  DifferenceLine* difference_ = nullptr;
  Curves roc_;
  Curves rejection_;
  Curves shift_;
  ScatterCard* scatter_ = nullptr;
};

}  // namespace dubito
