// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/review/automatic/autolabeller.h"
#include "app/review/results/auditor.h"
#include "app/review/review_mode.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace dubito {

class Card;
class CurvePlot;
class KeyValueList;
class ValueSlider;

/// Takes the suggestions that are certain enough, of a network or of another program with scores,
/// for a guaranteed share of right labels, and checks a random sample of these labels afterwards.
class ReviewAutomatic : public ReviewMode {
  Q_OBJECT
 public:
  /// `reviewer` must outlive the widget.
  explicit ReviewAutomatic(Reviewer& reviewer, QWidget* parent = nullptr);

  void showState() override;
  void showItem() override;
  bool takeKey(const QKeyEvent& event) override;
  [[nodiscard]] bool busy() const override { return labeller_.busy() || auditor_.busy(); }
  [[nodiscard]] bool showsQueue() const override { return false; }

  [[nodiscard]] Autolabeller& labeller() { return labeller_; }
  [[nodiscard]] Auditor& auditor() { return auditor_; }

 private:
  [[nodiscard]] QWidget* makeControls();
  void fillMeasures();
  void showSources();
  void showPreview();
  /// The numbers of the preview, and what stands in its way.
  void showNumbers();
  void showCurve();
  void setTarget(double target);
  /// Says that images were labelled, and how to take that back.
  void announce(std::int64_t images);
  /// What was announced is not the newest step any more.
  void withdrawAnnounced();
  /// The line of the curve is at this share.
  void dragTarget(double target);

  Reviewer& reviewer_;
  Autolabeller labeller_;
  Auditor auditor_;
  AnalysisPtr shown_;  ///< that the measures are of
  QString announced_;  ///< that undo takes the labels back; empty: it would not
  ValueSlider* target_;
  QComboBox* delta_;
  QComboBox* measure_;
  QComboBox* source_;
  QLabel* source_note_;
  KeyValueList* numbers_;
  QLabel* guarantee_;
  QLabel* obstacle_;
  QPushButton* label_;
  QPushButton* sample_more_;
  Card* curve_card_;
  CurvePlot* curve_;
};

}  // namespace dubito
