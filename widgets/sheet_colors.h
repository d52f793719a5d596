// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QApplication;
class QString;

namespace dubito {

/// Replaces the style sheet of the application by one that differs only in colours.
/// QApplication::setStyleSheet alone styles all widgets of all pages again, which takes seconds.
/// Here those inside a visible window that cannot be seen are styled when they are shown next. GUI
/// thread only.
void changeSheetColors(QApplication& application, const QString& sheet);

}  // namespace dubito
