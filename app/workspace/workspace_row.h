// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QStringList>
#include <optional>

#include "widgets/theme.h"

class QToolButton;
class QLineEdit;

namespace dubito {

/// One row of the workspace list: a mark, a name (bold if chosen), a muted second line, and a
/// number at the right. Its actions may have plain keys (setPlainKeys).
class WorkspaceRow : public QAbstractButton {
  Q_OBJECT
 public:
  enum class Mark { kNone, kDot, kSquare };

  explicit WorkspaceRow(QWidget* parent = nullptr);

  void setTexts(const QString& name, const QString& detail, const QString& figure = {});
  void setMark(Mark mark, ColorRole role);
  /// Adds a button at the right that opens the context menu.
  void addMenuButton();
  /// Marks the row as the chosen model, dataset or run.
  void setChosen(bool chosen);
  [[nodiscard]] bool chosen() const { return chosen_; }
  /// Marks the row with a bar at its left edge, because the run shown was computed from it.
  void setRelated(bool related);
  [[nodiscard]] bool related() const { return related_; }
  /// Shows an exclamation mark at the right if there are warnings; its tooltip lists them.
  void setWarnings(const QStringList& warnings);
  [[nodiscard]] const QStringList& warnings() const { return warnings_; }
  /// Allows the user to rename the row in place by double-clicking it.
  void setRenamable(bool renamable) { renamable_ = renamable; }
  /// Starts editing the name; Return or leaving the field emits renamed, Esc cancels.
  void beginRename();
  [[nodiscard]] bool renaming() const { return name_edit_ != nullptr; }
  [[nodiscard]] QString detail() const { return detail_; }
  [[nodiscard]] QString figure() const { return figure_; }

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

  /// Rectangle of the warning mark; empty without warnings.
  [[nodiscard]] QRect badgeRect() const;

 Q_SIGNALS:
  /// The user renamed the row; an empty name restores the generated name.
  void renamed(const QString& name);
  /// The warning mark was clicked.
  void badgeClicked();
  /// The name editor was closed.
  void renameEnded();

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// Rectangle of the name, to the left of the figure and the warning mark.
  [[nodiscard]] QRect nameRect() const;
  /// Right end of the first line; left of the menu button, if there is one.
  [[nodiscard]] int rightEdge() const;
  void paintBadge(QPainter& painter) const;
  /// Opens the context menu without blocking: the list may replace the row at any time, and the
  /// menu is destroyed with the row.
  void popUpMenu(const QPoint& global);
  void endRename(bool take);

  QString detail_;
  QString figure_;
  Mark mark_ = Mark::kNone;
  ColorRole role_ = ColorRole::kAccent;
  bool chosen_ = false;
  bool related_ = false;
  bool renamable_ = false;
  QStringList warnings_;
  QLineEdit* name_edit_ = nullptr;
  QToolButton* menu_button_ = nullptr;
};

}  // namespace dubito
