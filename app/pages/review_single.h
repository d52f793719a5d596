// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "app/pages/review_mode.h"
#include "app/review/review_keys.h"

class QCheckBox;
class QLabel;
class QPushButton;

namespace dubito {

class Card;
class CardRows;
class ReviewClasses;
class ReviewPictures;
struct PresentLabel;
class Reviewer;
class ReviewProgress;
class ReviewSimilar;
class Workbench;
class ZoomView;

/// One large image at a time, with the classes to choose from and the keys that choose them.
class ReviewSingle : public ReviewMode {
  Q_OBJECT
 public:
  /// Both must outlive the widget.
  ReviewSingle(Reviewer& reviewer, Workbench& workbench, QWidget* parent = nullptr);

  void showState() override;
  void showItem() override;
  bool takeKey(const QKeyEvent& event) override;
  [[nodiscard]] bool busy() const override;
  [[nodiscard]] bool showsQueue() const override { return true; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  [[nodiscard]] QWidget* makeImage();
  [[nodiscard]] QString decidedText(const PresentLabel& label) const;
  /// What can be done about an image that cannot be read.
  void showUnreadable();
  /// "4, 83 % sure (70 to 92)".
  [[nodiscard]] QString suggestionText(std::int64_t row) const;
  /// Writes the keys on the buttons.
  void showKeys();
  /// Does what a command means here; false: nothing.
  bool execute(ReviewCommand command);
  /// Name of a class of the label file; empty if there is none.
  [[nodiscard]] QString nameOfClass(std::int64_t class_id) const;

  Reviewer& reviewer_;
  ReviewPictures* pictures_;
  CardRows* rows_;
  Card* image_card_;
  ZoomView* image_;
  QLabel* suggestion_;
  QCheckBox* as_network_;
  QPushButton* accept_;
  struct KeyButton {
    QPushButton* button;
    QString text;
    QString tip;
    ReviewCommand command;
  };
  std::vector<KeyButton> buttons_;
  ReviewClasses* classes_;
  ReviewSimilar* similar_;
  ReviewProgress* progress_;
};

}  // namespace dubito
