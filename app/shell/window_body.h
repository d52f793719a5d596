// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QStackedWidget;

namespace dubito {

class FoldTab;

/// Central widget of the window: the workspace at the left, the page in the middle, a side panel at
/// the right. In a narrow window, the left and right parts are narrower, and the inspector folds to
/// a tab at the right edge.
class WindowBody : public QWidget {
  Q_OBJECT
 public:
  /// Takes ownership of the widgets. The first widget of `side` is the inspector; the others are
  /// wider.
  WindowBody(QWidget* workspace, QWidget* pages, QStackedWidget* side, QWidget* parent = nullptr);

  void setWorkspaceVisible(bool visible) { workspace_->setVisible(visible); }
  /// Whether the page uses the side panel.
  void setSideUsed(bool used);
  /// Opens the inspector if it is folded.
  void unfoldSide();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void shareWidth();
  void showSide();

  QWidget* workspace_;
  QStackedWidget* side_;
  FoldTab* fold_tab_;
  bool side_used_ = true;
};

}  // namespace dubito
