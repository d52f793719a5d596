// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>

class QLabel;
class QPushButton;

namespace dubito {

/// Dims a window except for one widget, the target, which is explained in a bubble next to it. The
/// target still receives clicks.
class TourOverlay : public QWidget {
  Q_OBJECT
 public:
  explicit TourOverlay(QWidget* window);

  /// Shows stop `number` of `count`; `number` starts at 1. `target` is a descendant of the window.
  /// If it is null or hidden, the bubble is centred.
  void showStop(QWidget* target, const QString& title, const QString& text, int number, int count);

  [[nodiscard]] QString title() const;
  [[nodiscard]] QWidget* target() const { return target_; }
  /// The undimmed area in window coordinates; empty without a target.
  [[nodiscard]] QRect lit() const { return lit_; }
  [[nodiscard]] QRect bubble() const;

 Q_SIGNALS:
  void nextRequested();
  void backRequested();
  void endRequested();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  /// A click outside the bubble ends the tour, and what is there gets it.
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  /// Keeps the keyboard focus in the tour until it ends.
  bool focusNextPrevChild(bool /*next*/) override { return false; }
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void arrange();

  QWidget& window_;
  QPointer<QWidget> target_;
  QRect lit_;
  bool is_pressed_ = false;  ///< outside the bubble
  QWidget* bubble_;
  QLabel* title_;
  QLabel* text_;
  QLabel* number_;
  QPushButton* back_;
  QPushButton* next_;
};

}  // namespace dubito
