// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QList>

class QAction;
class QKeyEvent;
class QWidget;

namespace dubito {

/// Sets keys that trigger `action`. Unlike shortcuts, they only act if the focused widget does not
/// use them: arrow keys still move a focused slider, and letters are still typed into a text field.
void setPlainKeys(QAction& action, const QList<Qt::Key>& keys);
[[nodiscard]] QList<Qt::Key> plainKeys(const QAction& action);

/// Triggers the enabled action of `widget` that has the pressed key; returns false if there is
/// none.
bool triggerByPlainKey(const QWidget& widget, const QKeyEvent& event);

}  // namespace dubito
