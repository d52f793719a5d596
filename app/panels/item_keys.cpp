// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/item_keys.h"

#include <QKeyEvent>

#include "app/session/session.h"

namespace dubito {

bool walkItems(Session& session, const QKeyEvent& event) {
  switch (event.key()) {
    case Qt::Key_A:
    case Qt::Key_Left:
      session.movePrimary(-1);
      return true;
    case Qt::Key_D:
    case Qt::Key_Right:
      session.movePrimary(1);
      return true;
    default:
      return false;
  }
}

}  // namespace dubito
