// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>
#include <QString>

class QApplication;

namespace dubito {

/// Theme chosen by the user.
enum class ThemeChoice { kSystem, kLight, kDark };

/// "system", "light" or "dark".
[[nodiscard]] QString themeName(ThemeChoice choice);
/// Inverse of themeName(); any other text means kSystem.
[[nodiscard]] ThemeChoice parseThemeChoice(const QString& text);

// The choice stored in the settings.
[[nodiscard]] ThemeChoice savedThemeChoice(const QSettings& settings);
void saveThemeChoice(QSettings& settings, ThemeChoice choice);

/// Applies the chosen theme. kSystem follows the palette that `application` had at the first call,
/// so the first call must precede any other change of the palette.
void applyThemeChoice(QApplication& application, ThemeChoice choice);

}  // namespace dubito
