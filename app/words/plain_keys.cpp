// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words/plain_keys.h"

#include <QAction>
#include <QKeyEvent>
#include <QVariant>
#include <QWidget>

namespace dubito {
namespace {

constexpr const char* kKeys = "plainKeys";

}  // namespace

void setPlainKeys(QAction& action, const QList<Qt::Key>& keys) {
  action.setProperty(kKeys, QVariant::fromValue(keys));
}

QList<Qt::Key> plainKeys(const QAction& action) {
  return action.property(kKeys).value<QList<Qt::Key>>();
}

bool triggerByPlainKey(const QWidget& widget, const QKeyEvent& event) {
  for (QAction* const action : widget.actions()) {
    if (action->isEnabled() && plainKeys(*action).contains(static_cast<Qt::Key>(event.key()))) {
      action->trigger();
      return true;
    }
  }
  return false;
}

}  // namespace dubito
