// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>

namespace dubito {

/// Installs an event filter for all widgets of the application; does nothing if there is one with
/// this name.
template <class Filter>
void installOnce(QApplication& application, const QString& name) {
  if (application.findChild<QObject*>(name, Qt::FindDirectChildrenOnly) == nullptr) {
    auto* const filter = new Filter(&application);
    filter->setObjectName(name);
    application.installEventFilter(filter);
  }
}

}  // namespace dubito
