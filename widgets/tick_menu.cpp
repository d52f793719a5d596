// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tick_menu.h"

#include <QKeyEvent>
#include <QMouseEvent>

namespace dubito {

void TickMenu::addTick(const QString& text, bool ticked, std::function<void(bool)> changed) {
  // An ampersand is part of the name, not the mark of a key.
  QAction* const action = addAction(QString(text).replace(u'&', QStringLiteral("&&")));
  action->setCheckable(true);
  action->setChecked(ticked);
  connect(action, &QAction::toggled, this, std::move(changed));
}

bool TickMenu::toggleActive() {
  QAction* const action = activeAction();
  if (action == nullptr || !action->isEnabled() || !action->isCheckable()) {
    return false;
  }
  action->trigger();
  return true;
}

void TickMenu::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !toggleActive()) {
    QMenu::mouseReleaseEvent(event);
  }
}

void TickMenu::keyPressEvent(QKeyEvent* event) {
  const bool chooses = event->key() == Qt::Key_Space || event->key() == Qt::Key_Return ||
                       event->key() == Qt::Key_Enter;
  if (!chooses || !toggleActive()) {
    QMenu::keyPressEvent(event);
  }
}

}  // namespace dubito
