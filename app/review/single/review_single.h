// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "app/review/review_mode.h"
#include "app/review/settings/review_keys.h"

class QCheckBox;
class QFrame;
class QPushButton;

namespace dubito {

class Card;
class CardRows;
class ReviewClasses;
class ReviewComment;
class ReviewLight;
class ReviewOpinions;
class ReviewPictures;
class Reviewer;
class ReviewProgress;
class ReviewSimilar;
class ReviewSuggestion;
class RunComputer;
class WindowJobs;
class ZoomView;

/// One large image at a time, with the classes to choose from and the keys that choose them.
class ReviewSingle : public ReviewMode {
  Q_OBJECT
 public:
  /// All arguments must outlive the widget.
  ReviewSingle(Reviewer& reviewer, WindowJobs& jobs, RunComputer& computer,
               QWidget* parent = nullptr);

  void showState() override;
  void showItem() override;
  bool takeKey(const QKeyEvent& event) override;
  [[nodiscard]] bool busy() const override;
  [[nodiscard]] bool showsQueue() const override { return true; }
  [[nodiscard]] bool showsOneItem() const override { return true; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  [[nodiscard]] QWidget* makeImage();
  /// Says what can be done about an image that cannot be read.
  void showUnreadable();
  /// The text in place of an image if the list is empty.
  [[nodiscard]] QString emptyText() const;
  /// Writes the keys on the buttons.
  void showKeys();
  /// Shows nothing but the image, or everything again.
  void showAlone(bool alone);
  /// Does what a command means here; false: nothing.
  bool execute(ReviewCommand command);

  Reviewer& reviewer_;
  ReviewPictures* pictures_;
  CardRows* rows_;
  Card* image_card_;
  QFrame* progress_card_;
  ZoomView* image_;
  ReviewLight* light_;
  ReviewSuggestion* suggestion_;
  QCheckBox* as_network_;
  QPushButton* accept_;
  QPushButton* given_;
  struct KeyButton {
    QPushButton* button;
    QString text;
    QString tip;
    ReviewCommand command;
  };
  std::vector<KeyButton> buttons_;
  ReviewClasses* classes_;
  ReviewOpinions* opinions_;
  ReviewComment* comment_;
  ReviewSimilar* similar_;
  ReviewProgress* progress_;
  std::optional<std::int64_t> shown_row_;
};

}  // namespace dubito
