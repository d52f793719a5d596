// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QString>
#include <QVariant>

namespace dubito {

/// Further words by which the command palette finds an action, next to those of its text.
inline void setCommandWords(QAction& action, const QString& words) {
  action.setProperty("commandWords", words);
}
[[nodiscard]] inline QString commandWords(const QAction& action) {
  return action.property("commandWords").toString();
}

}  // namespace dubito
