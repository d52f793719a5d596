// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace dubito {

class LabelChoice;

/// Row that chooses the labels that the results are computed from: "Labels  given | reviewed (132
/// changed)", and names the label store. Visible if the run shown has reviewed labels.
class LabelSwitch : public QWidget {
  Q_OBJECT
 public:
  /// `choice` must outlive this.
  explicit LabelSwitch(LabelChoice& choice, QWidget* parent = nullptr);

  /// False on pages that always use the given labels.
  void setApplies(bool applies);

 private:
  void showChoice();

  LabelChoice& choice_;
  QToolButton* given_;
  QToolButton* reviewed_;
  QLabel* source_;
  bool applies_ = true;
};

}  // namespace dubito
