// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/review_mode.h"
#include "app/review/auditor.h"
#include "app/review/autolabeller.h"

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace dubito {

class Card;
class CurvePlot;
class KeyValueList;
class ValueSlider;

/// Labels what the network is sure enough about, for a promised share of right labels, and checks a
/// random sample of these labels afterwards.
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
  [[nodiscard]] QWidget* makeAudit();
  void fillMeasures();
  void showSources();
  void showPreview();
  /// The numbers of a preview, and what stands in its way.
  void showNumbers(const AutolabelPreview& preview);
  void showCurve(const AutolabelPreview& preview);
  void showAudit();
  [[nodiscard]] QString obstacleText(const AutolabelPreview& preview) const;
  /// Items in random order that are still to be reviewed for the promise; 0: none or unknown.
  [[nodiscard]] std::int64_t stillNeeded(const AutolabelPreview& preview) const;
  [[nodiscard]] QString timeText(std::int64_t images) const;

  Reviewer& reviewer_;
  Autolabeller labeller_;
  Auditor auditor_;
  AnalysisPtr shown_;  ///< that the measures are of
  ValueSlider* target_;
  QComboBox* delta_;
  QComboBox* measure_;
  QComboBox* source_;
  QLabel* source_note_;
  KeyValueList* numbers_;
  QLabel* obstacle_;
  QPushButton* label_;
  QPushButton* sample_more_;
  Card* curve_card_;
  CurvePlot* curve_;
  QLabel* audit_text_;
  KeyValueList* audit_numbers_;
  QSpinBox* audit_size_;
  QPushButton* audit_open_;
};

}  // namespace dubito
