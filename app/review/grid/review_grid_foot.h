// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "app/review/settings/review_keys.h"
#include "core/labels/decision.h"

class QLabel;
class QPushButton;

namespace dubito {

class Reviewer;

/// Commands for a page of images, below it.
class ReviewGridFoot : public QWidget {
  Q_OBJECT
 public:
  /// `reviewer` must outlive the widget.
  explicit ReviewGridFoot(Reviewer& reviewer, QWidget* parent = nullptr);

  struct State {
    QString text;    ///< what the page holds
    QString accept;  ///< what the first button does
    bool accepts = false;
    bool marked = false;            ///< images are marked that can be decided
    std::int64_t shown_class = -1;  ///< the marked images are not this one
    std::size_t left_out = 0;       ///< marked images of earlier pages
  };
  void setState(const State& state);

  /// The decision that a command makes about the marked images; nullopt: none.
  [[nodiscard]] static std::optional<LabelAction> answerOf(ReviewCommand command);

 Q_SIGNALS:
  void acceptRequested();
  /// The marked images are of this class, or of none.
  void classChosen(std::int64_t class_id);
  void answerChosen(dubito::LabelAction action);
  /// 1: the next page; -1: the previous one.
  void turnRequested(int direction);
  void leftOutRequested();
  /// The keyboard belongs to the page again.
  void finished();

 private:
  void showKeys();
  void fillMenu();

  Reviewer& reviewer_;
  State state_;
  QLabel* text_;
  QPushButton* accept_;
  QPushButton* marked_are_;
  QPushButton* previous_;
  QPushButton* next_;
  QPushButton* undo_;
  QPushButton* redo_;
  QPushButton* left_out_;
};

}  // namespace dubito
