// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QObject;
class QSettings;

namespace dubito {

/// Restores the format of exported figures (setFigureFormat) and saves it whenever it changes, for
/// the lifetime of `owner`. `settings` outlives it.
void rememberFigureFormat(QSettings& settings, QObject& owner);

}  // namespace dubito
