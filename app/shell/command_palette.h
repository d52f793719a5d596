// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QList>
#include <QPointer>

class QAction;
class QLabel;
class QLineEdit;
class QListWidget;

namespace dubito {

/// A command of the palette.
struct Command {
  QString text;  ///< "Export: Metrics as CSV"
  QPointer<QAction> action;
};

/// All actions of `window`, of its menus and of the rows in the workspace list, enabled actions
/// first. Texts are prefixed with the name of the menu or row.
[[nodiscard]] QList<Command> commandsOf(const QWidget& window);

/// A text field above a list of the commands that contain all words typed, in their text or their
/// further words (setCommandWords); Return runs the selected
/// command. Not modal. Closes after running a command or when it loses the focus.
class CommandPalette : public QDialog {
  Q_OBJECT
 public:
  explicit CommandPalette(QWidget* parent);

  /// Opens the palette in the upper half of the parent, with `commands` to choose from.
  void ask(QList<Command> commands);
  /// Texts of the listed commands, in order.
  [[nodiscard]] QStringList listed() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void refill();
  void runSelected();

  QList<Command> commands_;
  QLineEdit* line_;
  QListWidget* list_;
  QLabel* nothing_;  ///< shown instead of an empty list
};

}  // namespace dubito
