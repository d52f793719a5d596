// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QList>
#include <QPointer>

class QAction;
class QLineEdit;
class QListWidget;

namespace dubito {

/// A command that can be found by typing.
struct Command {
  QString text;  ///< "Export: Metrics as CSV"
  QPointer<QAction> action;
};

/// All actions of `window`, its menus and the rows of the workspace list, prefixed with their menu
/// or row, enabled ones first.
[[nodiscard]] QList<Command> commandsOf(const QWidget& window);

/// A text field and the commands that match all of its words; Return runs the selected one. Not
/// modal; closes after running a command or losing focus.
class CommandPalette : public QDialog {
  Q_OBJECT
 public:
  explicit CommandPalette(QWidget* parent);

  /// Opens with these commands in the upper half of the parent.
  void ask(QList<Command> commands);
  /// The listed texts, in order.
  [[nodiscard]] QStringList listed() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void refill();
  void runSelected();

  QList<Command> commands_;
  QLineEdit* line_;
  QListWidget* list_;
};

}  // namespace dubito
