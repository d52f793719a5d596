// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/theme_choice.h"

#include <QApplication>
#include <QPalette>

#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr char kKey[] = "theme";

}  // namespace

QString themeName(ThemeChoice choice) {
  switch (choice) {
    case ThemeChoice::kSystem:
      return QStringLiteral("system");
    case ThemeChoice::kLight:
      return QStringLiteral("light");
    case ThemeChoice::kDark:
      return QStringLiteral("dark");
  }
  return {};
}

ThemeChoice parseThemeChoice(const QString& text) {
  if (text == QLatin1String("light")) {
    return ThemeChoice::kLight;
  }
  return text == QLatin1String("dark") ? ThemeChoice::kDark : ThemeChoice::kSystem;
}

ThemeChoice savedThemeChoice(const QSettings& settings) {
  return parseThemeChoice(settings.value(kKey).toString());
}

void saveThemeChoice(QSettings& settings, ThemeChoice choice) {
  settings.setValue(kKey, themeName(choice));
}

void applyThemeChoice(QApplication& application, ThemeChoice choice) {
  static const Theme system_theme = Theme::ofPalette(QApplication::palette());
  switch (choice) {
    case ThemeChoice::kSystem:
      applyTheme(application, system_theme);
      break;
    case ThemeChoice::kLight:
      applyTheme(application, Theme::light());
      break;
    case ThemeChoice::kDark:
      applyTheme(application, Theme::darkTheme());
      break;
  }
}

}  // namespace dubito
