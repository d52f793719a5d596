// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QList>

class QAction;
class QKeyEvent;
class QWidget;

namespace dubito {

/// Keys of an action that, unlike shortcuts, only act if the focused widget does not use them:
/// arrows still move a slider, letters still go into a text field.
void setPlainKeys(QAction& action, const QList<Qt::Key>& keys);
[[nodiscard]] QList<Qt::Key> plainKeys(const QAction& action);

/// Triggers the enabled action of `widget` with this key; returns false if there is none.
bool triggerByPlainKey(const QWidget& widget, const QKeyEvent& event);

}  // namespace dubito
