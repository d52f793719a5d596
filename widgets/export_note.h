// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace dubito {

/// A statement about the data shown that every export of `widget` carries: pictures as a line of
/// its own below the caption, numbers as a last column `label_source`, documents as a last line. It
/// is that of the innermost widget around it that has one. Empty: none.
[[nodiscard]] QString exportNote(const QWidget& widget);
/// Sets the note of `widget` and all widgets in it, also those in floating panels.
void setExportNote(QWidget& widget, const QString& note);

}  // namespace dubito
