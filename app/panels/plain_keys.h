// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QList>

class QAction;
class QKeyEvent;
class QWidget;

namespace dubito {

/// Gives an action keys that act only if nothing that has the focus wants them, unlike shortcuts:
/// arrows move a slider, letters are typed into a field.
void setPlainKeys(QAction& action, const QList<Qt::Key>& keys);
[[nodiscard]] QList<Qt::Key> plainKeys(const QAction& action);

/// Carries out the enabled action of `widget` that has the key; false if none has it.
bool triggerByPlainKey(const QWidget& widget, const QKeyEvent& event);

}  // namespace dubito
