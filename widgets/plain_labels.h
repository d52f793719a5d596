// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QApplication;

namespace dubito {

/// From now on, labels, tooltips and message boxes show text as it is: Qt guesses whether a text is
/// HTML, and a class called "<img src=...>" would be an image. Labels whose format was set keep it.
/// Call it before the first window; further calls change nothing.
void showTextsAsPlain(QApplication& application);

}  // namespace dubito
