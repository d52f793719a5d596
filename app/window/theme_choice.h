// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>
#include <QString>

class QApplication;

namespace dubito {

/// Which theme the user wants.
enum class ThemeChoice { kSystem, kLight, kDark };

[[nodiscard]] QString themeName(ThemeChoice choice);
/// "system", "light", "dark"; anything else is the system's.
[[nodiscard]] ThemeChoice parseThemeChoice(const QString& text);

/// Remembered between starts.
[[nodiscard]] ThemeChoice savedThemeChoice(const QSettings& settings);
void saveThemeChoice(QSettings& settings, ThemeChoice choice);

/// Applies a choice; the system's theme is judged by the palette that `application` started with,
/// so the first call must come before any other change of it.
void applyThemeChoice(QApplication& application, ThemeChoice choice);

}  // namespace dubito
