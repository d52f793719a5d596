// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <QtGlobal>

namespace dubito {

/// The descendant of `parent` of this class and, unless it is empty, this name. Ends the program
/// with a message that names it if there is none.
template <class T>
T& childOf(const QWidget& parent, const QString& name = {}) {
  auto* const child = parent.findChild<T*>(name);
  if (child == nullptr) {
    qFatal("%s has no %s %s", qPrintable(parent.objectName()), T::staticMetaObject.className(),
           qPrintable(name));
  }
  return *child;
}

}  // namespace dubito
