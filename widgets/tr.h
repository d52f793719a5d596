// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>

namespace dubito {

/// The translation of a text in functions outside of classes. Members of a QObject use its own
/// tr(). Texts in tables are marked for it by QT_TRANSLATE_NOOP("dubito", text). Include it in
/// sources only.
inline QString tr(const char* text) {
  return QCoreApplication::translate("dubito", text);
}

}  // namespace dubito
