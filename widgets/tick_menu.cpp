// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tick_menu.h"

#include <QKeyEvent>
#include <QMouseEvent>

namespace dubito {

TickMenu::TickMenu(const QString& title, QWidget* parent) : QMenu(title, parent) {
  addAction(tr("Show all"), this, [this] {
    tickAll(true);
  })->setObjectName(QStringLiteral("tickAll"));
  addAction(tr("Hide all"), this, [this] {
    tickAll(false);
  })->setObjectName(QStringLiteral("tickNone"));
  addSeparator();
}

void TickMenu::addTick(const QString& text, bool ticked, std::function<void(bool)> changed) {
  has_ticks_ = true;
  // An ampersand is part of the name, not the mark of a key.
  QAction* const action = addAction(QString(text).replace(u'&', QStringLiteral("&&")));
  action->setCheckable(true);
  action->setChecked(ticked);
  connect(action, &QAction::toggled, this, std::move(changed));
}

void TickMenu::tickAll(bool ticked) {
  for (QAction* const action : actions()) {
    if (action->isCheckable()) {
      action->setChecked(ticked);
    }
  }
}

bool TickMenu::triggerActive() {
  QAction* const action = activeAction();
  if (action == nullptr || !action->isEnabled()) {
    return false;
  }
  action->trigger();
  return true;
}

void TickMenu::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !triggerActive()) {
    QMenu::mouseReleaseEvent(event);
  }
}

void TickMenu::keyPressEvent(QKeyEvent* event) {
  const bool chooses = event->key() == Qt::Key_Space || event->key() == Qt::Key_Return ||
                       event->key() == Qt::Key_Enter;
  if (!chooses || !triggerActive()) {
    QMenu::keyPressEvent(event);
  }
}

}  // namespace dubito
