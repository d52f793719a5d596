// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <optional>

#include "widgets/theme.h"

class QToolButton;

namespace dubito {

/// One entry of the workspace list: a mark, a name (bold while chosen), a muted second line, a
/// figure at the right.
class WorkspaceRow : public QAbstractButton {
  Q_OBJECT
 public:
  enum class Mark { kNone, kDot, kSquare };

  explicit WorkspaceRow(QWidget* parent = nullptr);

  void setTexts(const QString& name, const QString& detail, const QString& figure = {});
  void setMark(Mark mark, ColorRole role);
  /// The second line is a warning.
  void setWarning(bool warning);
  /// Shows the row's actions behind a button at its right, as the context menu does.
  void addMenuButton();
  /// The row is the chosen one of its kind.
  void setChosen(bool chosen);
  [[nodiscard]] bool chosen() const { return chosen_; }
  [[nodiscard]] QString detail() const { return detail_; }
  [[nodiscard]] QString figure() const { return figure_; }

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 Q_SIGNALS:
  /// The entry is to be closed (Delete key).
  void removeRequested();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QString detail_;
  QString figure_;
  Mark mark_ = Mark::kNone;
  ColorRole role_ = ColorRole::kAccent;
  bool chosen_ = false;
  bool warning_ = false;
  QToolButton* menu_button_ = nullptr;
};

}  // namespace dubito
