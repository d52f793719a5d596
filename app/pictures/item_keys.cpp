// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pictures/item_keys.h"

#include <QKeyEvent>

#include "app/session/session.h"

namespace dubito {

QList<Qt::Key> previousItemKeys() {
  return {Qt::Key_A, Qt::Key_Left};
}

QList<Qt::Key> nextItemKeys() {
  return {Qt::Key_D, Qt::Key_Right};
}

Qt::Key whyKey() {
  return Qt::Key_W;
}

bool stepItems(Session& session, const QKeyEvent& event) {
  const auto key = static_cast<Qt::Key>(event.key());
  const int step =
      (nextItemKeys().contains(key) ? 1 : 0) - (previousItemKeys().contains(key) ? 1 : 0);
  if (step == 0) {
    return false;
  }
  session.moveShownItem(step);
  return true;
}

}  // namespace dubito
