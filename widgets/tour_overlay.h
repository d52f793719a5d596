// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>

class QLabel;
class QPushButton;

namespace dubito {

/// Dims a window but for one widget in it, and says beside that widget what it is for. Clicks on
/// the widget reach it.
class TourOverlay : public QWidget {
  Q_OBJECT
 public:
  explicit TourOverlay(QWidget* window);

  /// Shows stop `number` of `count` (from 1). `target` is a descendant of the window; null or
  /// hidden: the text stands in the middle.
  void showStop(QWidget* target, const QString& title, const QString& text, int number, int count);

  [[nodiscard]] QString title() const;
  [[nodiscard]] QWidget* target() const { return target_; }
  /// The part that is not dimmed, in the coordinates of the window; empty where there is no target.
  [[nodiscard]] QRect lit() const { return lit_; }
  [[nodiscard]] QRect bubble() const;

 Q_SIGNALS:
  void nextRequested();
  void backRequested();
  void endRequested();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  /// The keys stay with the tour until it ends.
  bool focusNextPrevChild(bool /*next*/) override { return false; }
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void arrange();

  QWidget& window_;
  QPointer<QWidget> target_;
  QRect lit_;
  QWidget* bubble_;
  QLabel* title_;
  QLabel* text_;
  QLabel* number_;
  QPushButton* back_;
  QPushButton* next_;
};

}  // namespace dubito
