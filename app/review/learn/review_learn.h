// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/review/learn/learner.h"
#include "app/review/review_mode.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace dubito {

class Card;
class CurvePlot;
class KeyValueList;

/// Lets the network learn from the labels: how many there are, how well it did with them before,
/// and a button that trains it and sorts the images again.
class ReviewLearn : public ReviewMode {
  Q_OBJECT
 public:
  /// All arguments must outlive the widget.
  ReviewLearn(Reviewer& reviewer, WindowJobs& jobs, RunComputer& computer,
              QWidget* parent = nullptr);

  void showState() override { learner_.refresh(); }
  void showItem() override { learner_.refresh(); }
  bool takeKey(const QKeyEvent& event) override;
  [[nodiscard]] bool busy() const override { return learner_.busy(); }
  [[nodiscard]] bool showsQueue() const override { return false; }

  [[nodiscard]] Learner& learner() { return learner_; }

 private:
  [[nodiscard]] QWidget* makeLabels();
  [[nodiscard]] QWidget* makeControls();
  void showAll();
  void showLabels();
  void showControls();
  void showResult();
  void showCurve();
  void showProgress(const Progress& progress);
  /// The new network takes the place of the one under review.
  void use();
  void takeLearned();

  Reviewer& reviewer_;
  Learner learner_;
  AnalysisPtr sorted_for_;  ///< that this page has put in use; its new order is offered
  Card* labels_card_;
  Card* curve_card_;
  KeyValueList* labels_;
  KeyValueList* result_;
  CurvePlot* curve_;
  QLabel* text_;
  QLabel* verdict_;
  QLabel* place_;
  QLabel* stage_;
  QProgressBar* progress_;
  QPushButton* learn_;
  QPushButton* cancel_;
  QPushButton* use_;
  QPushButton* show_;
};

}  // namespace dubito
