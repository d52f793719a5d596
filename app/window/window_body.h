// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QStackedWidget;

namespace dubito {

/// The workspace at the left, the page in the middle, one of the side panels at the right. In a
/// narrow window the sides leave the page more room.
class WindowBody : public QWidget {
  Q_OBJECT
 public:
  /// Takes ownership of the parts. `side` holds the inspector first, then wider panels.
  WindowBody(QWidget* workspace, QWidget* pages, QStackedWidget* side, QWidget* parent = nullptr);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void shareWidth();

  QWidget* workspace_;
  QStackedWidget* side_;
};

}  // namespace dubito
