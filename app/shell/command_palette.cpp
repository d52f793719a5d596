// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/command_palette.h"

#include <QAction>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QVBoxLayout>
#include <algorithm>

#include "app/words/command_words.h"
#include "app/workspace/workspace_row.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

QString plain(QString text) {
  return text.remove(QChar(0x2026)).remove(u'&');
}

bool matches(const Command& command, const QString& word) {
  return command.text.contains(word, Qt::CaseInsensitive) ||
         (command.action && commandWords(*command.action).contains(word, Qt::CaseInsensitive));
}

void addMenu(QMenu& menu, const QString& path, QList<Command>& commands);

void addActions(const QList<QAction*>& actions, const QString& path, QList<Command>& commands) {
  for (QAction* const action : actions) {
    if (action->isSeparator() || action->text().isEmpty()) {
      continue;
    }
    const QString text = path.isEmpty() ? plain(action->text())
                                        : QStringLiteral("%1: %2").arg(path, plain(action->text()));
    if (QMenu* const menu = action->menu()) {
      addMenu(*menu, text, commands);
    } else {
      commands.push_back({text, action});
    }
  }
}

void addMenu(QMenu& menu, const QString& path, QList<Command>& commands) {
  // Some menus fill themselves just before they are shown.
  Q_EMIT menu.aboutToShow();
  addActions(menu.actions(), path, commands);
}

}  // namespace

QList<Command> commandsOf(const QWidget& window) {
  QList<Command> commands;
  addActions(window.actions(), {}, commands);
  for (QMenu* const menu : window.findChildren<QMenu*>(Qt::FindDirectChildrenOnly)) {
    if (!menu->title().isEmpty()) {
      addMenu(*menu, plain(menu->title()), commands);
    }
  }
  for (const WorkspaceRow* const row : window.findChildren<WorkspaceRow*>()) {
    if (!row->isHidden()) {
      addActions(row->actions(), row->text(), commands);
    }
  }
  std::ranges::stable_partition(commands,
                                [](const Command& command) { return command.action->isEnabled(); });
  return commands;
}

CommandPalette::CommandPalette(QWidget* parent)
    : QDialog(parent, Qt::Popup | Qt::FramelessWindowHint),
      line_(new QLineEdit(this)),
      list_(new QListWidget(this)),
      nothing_(new QLabel(tr("Nothing found"), this)) {
  setObjectName(QStringLiteral("commandPalette"));
  line_->setObjectName(QStringLiteral("commandLine"));
  line_->setPlaceholderText(tr("Type a command"));
  line_->setAccessibleName(tr("Command"));
  line_->installEventFilter(this);
  list_->setObjectName(QStringLiteral("commandList"));
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* const layout = new QVBoxLayout(this);
  layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(line_);
  layout->addWidget(list_, 1);
  nothing_->setObjectName(QStringLiteral("commandNothing"));
  nothing_->setProperty("role", QStringLiteral("muted"));
  nothing_->setAlignment(Qt::AlignTop | Qt::AlignHCenter);
  layout->addWidget(nothing_, 1);
  connect(line_, &QLineEdit::textChanged, this, &CommandPalette::refill);
  connect(line_, &QLineEdit::returnPressed, this, &CommandPalette::runSelected);
  connect(list_, &QListWidget::itemClicked, this, [this] { runSelected(); });
}

void CommandPalette::ask(QList<Command> commands) {
  commands_ = std::move(commands);
  line_->clear();
  refill();
  constexpr int kWidth = 120 * kGrid;
  constexpr int kHeight = 90 * kGrid;
  resize(kWidth, kHeight);
  const QWidget* const window = parentWidget();
  move(window->mapToGlobal(QPoint((window->width() - kWidth) / 2, window->height() / 8)));
  show();
  line_->setFocus();
}

QStringList CommandPalette::listed() const {
  QStringList texts;
  for (int row = 0; row < list_->count(); ++row) {
    texts << list_->item(row)->data(Qt::AccessibleTextRole).toString();
  }
  return texts;
}

void CommandPalette::refill() {
  const QString typed = line_->text().simplified();
  const QStringList words = typed.split(u' ', Qt::SkipEmptyParts);
  std::vector<int> matching;
  for (int i = 0; i < commands_.size(); ++i) {
    if (std::all_of(words.begin(), words.end(),
                    [&](const QString& word) { return matches(commands_[i], word); })) {
      matching.push_back(i);
    }
  }
  // Matches at the start of the text come first.
  std::stable_partition(matching.begin(), matching.end(), [&](int i) {
    return commands_[i].text.startsWith(typed, Qt::CaseInsensitive);
  });
  list_->clear();
  for (const int i : matching) {
    const Command& command = commands_[i];
    const QString keys =
        command.action ? command.action->shortcut().toString(QKeySequence::NativeText) : QString();
    auto* const item = new QListWidgetItem(
        keys.isEmpty() ? command.text : QStringLiteral("%1   (%2)").arg(command.text, keys), list_);
    item->setData(Qt::UserRole, i);
    item->setData(Qt::AccessibleTextRole, command.text);
    if (!command.action || !command.action->isEnabled()) {
      item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
      item->setToolTip(tr("Not available now"));
    }
  }
  list_->setCurrentRow(0);
  list_->setVisible(!matching.empty());
  nothing_->setVisible(matching.empty());
}

void CommandPalette::runSelected() {
  const QListWidgetItem* const item = list_->currentItem();
  if (item == nullptr || !item->flags().testFlag(Qt::ItemIsEnabled)) {
    return;
  }
  const QPointer<QAction> action = commands_[item->data(Qt::UserRole).toInt()].action;
  // Close first, so that the command can open a window itself.
  close();
  if (action) {
    action->trigger();
  }
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched == line_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    const int step = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
    if (step != 0 && list_->count() == 0) {
      return true;
    }
    if (step != 0) {
      list_->setCurrentRow(std::clamp(list_->currentRow() + step, 0, list_->count() - 1));
      return true;
    }
  }
  return QDialog::eventFilter(watched, event);
}

}  // namespace dubito
