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
  explicit WindowBody(QWidget* parent = nullptr);

  /// Sets the parts, once and before anything else. They should be children of this widget already:
  /// Qt styles all that a widget contains again when its parent changes. The first widget of `side`
  /// is the inspector; the others are wider.
  void setParts(QWidget* workspace, QWidget* pages, QStackedWidget* side);

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

  QWidget* workspace_ = nullptr;
  QStackedWidget* side_ = nullptr;
  FoldTab* fold_tab_ = nullptr;
  bool side_used_ = true;
};

}  // namespace dubito
