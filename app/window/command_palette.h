// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QList>
#include <QPointer>

class QAction;
class QLineEdit;
class QListWidget;

namespace dubito {

/// What can be done by typing a few letters of it.
struct Command {
  QString text;  ///< "Export: Metrics as CSV"
  QPointer<QAction> action;
};

/// Everything that `window`, the menus in it and the rows of the workspace list offer: actions with
/// a text, named after the menus or rows they are in, those that can be carried out now first.
[[nodiscard]] QList<Command> commandsOf(const QWidget& window);

/// A line to type in and the commands that match all of its words; Return carries out the chosen
/// one. Not modal; closes when it is done or left.
class CommandPalette : public QDialog {
  Q_OBJECT
 public:
  explicit CommandPalette(QWidget* parent);

  /// Opens with these commands over the middle of the parent's upper half.
  void ask(QList<Command> commands);
  /// The texts that are listed, in order.
  [[nodiscard]] QStringList listed() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void refill();
  void carryOut();

  QList<Command> commands_;
  QLineEdit* line_;
  QListWidget* list_;
};

}  // namespace dubito
