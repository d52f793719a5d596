// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include "app/jobs/worker_thread.h"
#include "app/labs/lab_view.h"
#include "app/labs/regression/regression_runner.h"

class QLabel;

namespace dubito {

class BandPlot;
class Card;
class CompareTable;
class LabBar;
class LabMethodList;
class LabRegressionData;
template <class Plot>
class LabPointGrid;

/// The regression laboratory: points, several methods that learn from them at once, one plot per
/// method, and a table of scores.
class LabRegression : public LabView {
  Q_OBJECT
 public:
  /// `worker` must outlive this. `threads`: how many threads a method may use.
  LabRegression(WorkerThread& worker, int threads, QWidget* parent = nullptr);
  ~LabRegression() override;

  void begin() override;
  [[nodiscard]] bool busy() const override;
  [[nodiscard]] nlohmann::json setUp() const override;
  [[nodiscard]] Status applySetUp(const nlohmann::json& set_up) override;
  [[nodiscard]] RegressionRunner& runner() { return *runner_; }

 private:
  [[nodiscard]] QWidget* buildSetUp();
  [[nodiscard]] QWidget* buildResults();
  void connectParts();
  /// One card with a plot per chosen method.
  void placePlots();
  void showPlot(std::size_t index);
  void showAllPlots();
  void showTable();
  void showState();
  /// Makes the data the user's own: the truth and the test points no longer belong to them.
  [[nodiscard]] RegressionData ownData() const;
  void addPoint(double x, double y);
  void movePoint(int index, double x, double y);
  void erasePoint(int index);
  void setOwnData(RegressionData edited);

  WorkerThread& worker_;
  RegressionRunner* runner_;
  bool begun_ = false;
  QTimer table_timer_;  ///< the table follows the plots at a slower pace

  LabBar* bar_;
  QLabel* legend_;
  LabRegressionData* data_;
  LabMethodList* methods_;
  LabPointGrid<BandPlot>* plots_;
  Card* table_card_;
  CompareTable* table_;
};

}  // namespace dubito
