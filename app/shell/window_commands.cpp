// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/window_commands.h"

#include <QAction>
#include <QWidget>

#include "app/explore/inspector/why_panel.h"
#include "app/pictures/item_keys.h"
#include "app/words/plain_keys.h"
#include "core/inference/options/method_options.h"

namespace dubito {

WindowCommands::WindowCommands(QWidget& window) : QObject(&window), window_(window) {
  add("commandOpen", tr("Open file"), QKeySequence(Qt::CTRL | Qt::Key_O),
      &WindowCommands::openRequested);
  QAction* const compute = add("commandCompute", tr("Set up a computation"),
                               QKeySequence(Qt::CTRL | Qt::Key_Return), nullptr);
  connect(compute, &QAction::triggered, this, [this] { Q_EMIT computeRequested({}); });
  hidden_in_review_ << compute;
  for (const MethodDescription& method : allMethods()) {
    const QString name = QString::fromStdString(method.name);
    QAction* const with_method =
        add(qPrintable("commandMethod-" + name),
            tr("Compute with %1").arg(QString::fromStdString(method.label)), {}, nullptr);
    connect(with_method, &QAction::triggered, this,
            [this, name] { Q_EMIT computeRequested(name); });
    hidden_in_review_ << with_method;
  }
  cancel_ = add("commandCancel", tr("Cancel computation"), {}, &WindowCommands::cancelRequested);
  cancel_->setEnabled(false);
  reopen_ = add("commandReopen", tr("Reopen closed run"),
                QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T), &WindowCommands::reopenRequested);
  reopen_->setEnabled(false);
  for (const PageInfo& page : allPages()) {
    const int position = static_cast<int>(page.id);
    QAction* const show =
        add(qPrintable(QStringLiteral("commandShow-") + QLatin1String(page.key)),
            tr("Show %1").arg(titleOf(page.id)),
            QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + position)), nullptr);
    connect(show, &QAction::triggered, this, [this, id = page.id] { Q_EMIT pageRequested(id); });
    if (page.id != PageId::kReview) {
      hidden_in_review_ << show;
    }
  }
  undo_ = add("commandUndo", tr("Undo selection, filter or decision"), QKeySequence::Undo,
              &WindowCommands::undoRequested);
  redo_ = add("commandRedo", tr("Redo selection, filter or decision"), QKeySequence::Redo,
              &WindowCommands::redoRequested);
  undo_->setEnabled(false);
  redo_->setEnabled(false);
  QAction* const quit = add("commandQuit", tr("Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), nullptr);
  connect(quit, &QAction::triggered, &window, &QWidget::close);
  add("commandClear", tr("Clear selection"), {}, &WindowCommands::clearRequested);
  setPlainKeys(*add("commandBack", tr("Restore panel or clear selection"), {},
                    &WindowCommands::backRequested),
               {Qt::Key_Escape});
  QAction* const previous = add("commandPrevious", tr("Previous image"), {}, nullptr);
  connect(previous, &QAction::triggered, this, [this] { Q_EMIT stepRequested(-1); });
  setPlainKeys(*previous, previousItemKeys());
  QAction* const next = add("commandNext", tr("Next image"), {}, nullptr);
  connect(next, &QAction::triggered, this, [this] { Q_EMIT stepRequested(1); });
  setPlainKeys(*next, nextItemKeys());
  setPlainKeys(*add("commandWhy", tr("Show or hide the pixels that matter"), {},
                    &WindowCommands::whyRequested),
               {WhyPanel::key()});
  palette_ = add("commandPalette", tr("Command palette"), QKeySequence(Qt::CTRL | Qt::Key_K),
                 &WindowCommands::paletteRequested);
}

QAction* WindowCommands::add(const char* name, const QString& text, const QKeySequence& keys,
                             void (WindowCommands::*requested)()) {
  auto* const command = new QAction(text, &window_);
  command->setObjectName(QLatin1String(name));
  command->setShortcut(keys);
  // Floating panels respond to the same keys.
  command->setShortcutContext(Qt::ApplicationShortcut);
  window_.addAction(command);
  if (requested != nullptr) {
    connect(command, &QAction::triggered, this, [this, requested] { (this->*requested)(); });
  }
  return command;
}

}  // namespace dubito
