// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QStackedWidget;

namespace dubito {

/// Central widget of the window: the workspace at the left, the page in the middle, a side panel at
/// the right. In a narrow window, the left and right parts are narrower.
class WindowBody : public QWidget {
  Q_OBJECT
 public:
  /// Takes ownership of the widgets. The first widget of `side` is the inspector; the others are
  /// wider.
  WindowBody(QWidget* workspace, QWidget* pages, QStackedWidget* side, QWidget* parent = nullptr);

  void setWorkspaceVisible(bool visible) { workspace_->setVisible(visible); }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void shareWidth();

  QWidget* workspace_;
  QStackedWidget* side_;
};

}  // namespace dubito
