// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>
#include <QString>

class QApplication;

namespace dubito {

/// Theme chosen by the user.
enum class ThemeChoice { kSystem, kLight, kDark };

[[nodiscard]] QString themeName(ThemeChoice choice);
/// "system", "light", "dark"; anything else means system.
[[nodiscard]] ThemeChoice parseThemeChoice(const QString& text);

/// Stored in the settings.
[[nodiscard]] ThemeChoice savedThemeChoice(const QSettings& settings);
void saveThemeChoice(QSettings& settings, ThemeChoice choice);

/// Applies a choice. The system theme is detected from the initial palette of `application`, so the
/// first call must precede any other palette change.
void applyThemeChoice(QApplication& application, ThemeChoice choice);

}  // namespace dubito
