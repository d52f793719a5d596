// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QStackedWidget;

namespace dubito {

/// Workspace at the left, page in the middle, a side panel at the right. The sides are narrower in
/// a narrow window.
class WindowBody : public QWidget {
  Q_OBJECT
 public:
  /// Takes ownership. `side` contains the inspector first, then wider panels.
  WindowBody(QWidget* workspace, QWidget* pages, QStackedWidget* side, QWidget* parent = nullptr);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void shareWidth();

  QWidget* workspace_;
  QStackedWidget* side_;
};

}  // namespace dubito
