// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QStringList>
#include <optional>

#include "widgets/theme.h"

class QToolButton;
class QLineEdit;

namespace dubito {

/// One entry of the workspace list: a mark, a name (bold while chosen), a muted second line, a
/// figure at the right. Its actions may have plain keys (setPlainKeys).
class WorkspaceRow : public QAbstractButton {
  Q_OBJECT
 public:
  enum class Mark { kNone, kDot, kSquare };

  explicit WorkspaceRow(QWidget* parent = nullptr);

  void setTexts(const QString& name, const QString& detail, const QString& figure = {});
  void setMark(Mark mark, ColorRole role);
  /// Shows the row's actions behind a button at its right, as the context menu does.
  void addMenuButton();
  /// The row is the chosen one of its kind.
  void setChosen(bool chosen);
  [[nodiscard]] bool chosen() const { return chosen_; }
  /// The entry belongs to what is shown: a bar at its left edge.
  void setRelated(bool related);
  [[nodiscard]] bool related() const { return related_; }
  /// An exclamation mark at the right if there are warnings; its tooltip lists them.
  void setWarnings(const QStringList& warnings);
  [[nodiscard]] const QStringList& warnings() const { return warnings_; }
  /// A double click edits the name in place.
  void setRenamable(bool renamable) { renamable_ = renamable; }
  /// Shows a field for the name; Return, or leaving it, emits renamed, Esc changes nothing.
  void beginRename();
  [[nodiscard]] bool renaming() const { return name_edit_ != nullptr; }
  [[nodiscard]] QString detail() const { return detail_; }
  [[nodiscard]] QString figure() const { return figure_; }

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

  /// The place of the mark of its warnings; empty without any.
  [[nodiscard]] QRect badgeRect() const;

 Q_SIGNALS:
  /// A user gave the entry a name; empty: the generated one is wanted.
  void renamed(const QString& name);
  /// The mark of its warnings was clicked.
  void badgeClicked();
  /// The field for the name is gone.
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
  /// The place of the name, without the figure and the badge.
  [[nodiscard]] QRect nameRect() const;
  /// Where the texts of the first line end: before the button of the menu, if there is one.
  [[nodiscard]] int rightEdge() const;
  void paintBadge(QPainter& painter) const;
  /// Opens the menu of the row's actions. It goes with the row, which the list may replace at any
  /// time: nothing waits for its end.
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
