// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QPalette>
#include <QStyleFactory>
#include <QWidget>
#include <array>
#include <cmath>
#include <utility>

#include "widgets/sheet_colors.h"
#include "widgets/style_sheet.h"

// Q_INIT_RESOURCE must be called outside any namespace. Without it the linker drops the resources
// of a static library.
static void initialiseIcons() {
  Q_INIT_RESOURCE(icons);
}

namespace dubito {
namespace {

Theme& mutableTheme() {
  static Theme theme = Theme::light();
  return theme;
}

double& mutableScale() {
  static double scale = 1.0;
  return scale;
}

/// Where QStyleSheetStyle keeps the font that a widget has without the style sheet.
constexpr char kFontBelowSheet[] = "_q_styleSheetWidgetFont";

/// False for a font with a size in pixels.
bool scaleFont(QFont& font, double change) {
  if (font.pointSizeF() <= 0.0) {
    return false;
  }
  font.setPointSizeF(change * font.pointSizeF());
  return true;
}

}  // namespace

Theme Theme::light() {
  return {.dark = false,
          .window = QColor(0xF6F7F9),
          .panel = QColor(0xFFFFFF),
          .text = QColor(0x1F2328),
          .muted = QColor(0x59636E),
          .grid = QColor(0xE6E8EB),
          .accent = QColor(0x0072B2),
          .correct = QColor(0x0072B2),
          .misclassified = QColor(0xD55E00),
          .ood = QColor(0xCC79A7),
          .selection = QColor(0x1F2328),
          .border = QColor(0xDDE0E4),
          .highlight = QColor(0xE2EDF6),
          .on_accent = QColor(0xFFFFFF)};
}

Theme Theme::darkTheme() {
  return {.dark = true,
          .window = QColor(0x16181D),
          .panel = QColor(0x1E2127),
          .text = QColor(0xE6E8EB),
          .muted = QColor(0x9BA3AF),
          .grid = QColor(0x2C3038),
          .accent = QColor(0x56B4E9),
          .correct = QColor(0x56B4E9),
          .misclassified = QColor(0xE69F00),
          .ood = QColor(0xCC79A7),
          .selection = QColor(0xE6E8EB),
          .border = QColor(0x31363F),
          .highlight = QColor(0x26323E),
          .on_accent = QColor(0x16181D)};
}

Theme Theme::ofPalette(const QPalette& palette) {
  const int window = palette.color(QPalette::Window).lightness();
  const int text = palette.color(QPalette::WindowText).lightness();
  return window < text ? darkTheme() : light();
}

QColor Theme::color(ColorRole role) const {
  switch (role) {
    case ColorRole::kCorrect:
      return correct;
    case ColorRole::kMisclassified:
      return misclassified;
    case ColorRole::kOod:
      return ood;
    case ColorRole::kAccent:
      return accent;
    case ColorRole::kMuted:
      return muted;
    case ColorRole::kText:
      return text;
  }
  return text;
}

QColor Theme::runColor(int index) const {
  // Okabe-Ito hues not used by the groups; their yellow is darkened because it is invisible on
  // white.
  static const std::array<QColor, kRunHues> light_hues{QColor(0x009E73), QColor(0x56B4E9),
                                                       QColor(0xA89A00), QColor(0x59636E)};
  static const std::array<QColor, kRunHues> dark_hues{QColor(0x009E73), QColor(0x3D8FD1),
                                                      QColor(0xF0E442), QColor(0x9BA3AF)};
  const auto& hues = dark ? dark_hues : light_hues;
  return hues[static_cast<std::size_t>(((index % kRunHues) + kRunHues) % kRunHues)];
}

QColor Theme::classColor(int k) const {
  constexpr int kShades = 3;
  constexpr int kStronger = 45;  // per cent
  const int shade = (k / kRunHues) % kShades;
  const QColor hue = runColor(k % kRunHues);
  return shade == 0 ? hue : shade == 1 ? hue.lighter(100 + kStronger) : hue.darker(100 + kStronger);
}

double lookScale() {
  return mutableScale();
}

void setLookScale(QApplication& application, double scale) {
  const double change = scale / lookScale();
  if (scale == lookScale()) {
    return;
  }
  mutableScale() = scale;
  // The application's font reaches all others.
  for (QWidget* const widget : QApplication::allWidgets()) {
    if (QFont font = widget->font();
        widget->testAttribute(Qt::WA_SetFont) && scaleFont(font, change)) {
      widget->setFont(font);
    }
    // The style sheet gives a widget this font back whenever it styles it again.
    if (QFont font = widget->property(kFontBelowSheet).value<QFont>();
        widget->property(kFontBelowSheet).isValid() && scaleFont(font, change)) {
      widget->setProperty(kFontBelowSheet, font);
    }
  }
  applyTheme(application, currentTheme());
}

QFont uiFont(TypeSize size, bool bold) {
  QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
  font.setPointSizeF(static_cast<int>(size) * lookScale());
  font.setBold(bold);
  return font;
}

ThemeNotifier& ThemeNotifier::instance() {
  static ThemeNotifier notifier;
  return notifier;
}

const Theme& currentTheme() {
  return mutableTheme();
}

ThemeScope::ThemeScope(const Theme& theme)
    : before_(mutableTheme()), scale_before_(mutableScale()) {
  mutableTheme() = theme;
  mutableScale() = 1.0;
}

ThemeScope::~ThemeScope() {
  mutableTheme() = before_;
  mutableScale() = scale_before_;
}

void applyTheme(QApplication& application, const Theme& theme) {
  initialiseIcons();
  mutableTheme() = theme;
  // Each of these visits all widgets, and style and font are the same in all themes.
  static bool is_prepared = false;
  if (!std::exchange(is_prepared, true)) {
    application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  }
  if (const QFont font = uiFont(TypeSize::kBody); font != QApplication::font()) {
    QApplication::setFont(font);
  }
  QApplication::setPalette(paletteOf(theme));
  // Another size of text moves everything.
  static double scale_of_sheet = 0.0;
  const QString sheet = styleSheetOf(theme, lookScale());
  if (std::exchange(scale_of_sheet, lookScale()) == lookScale()) {
    changeSheetColors(application, sheet);
  } else {
    application.setStyleSheet(sheet);
  }
  Q_EMIT ThemeNotifier::instance().changed();
}

QColor translucent(QColor color, double alpha) {
  color.setAlphaF(static_cast<float>(alpha));
  return color;
}

QColor blend(const QColor& ground, const QColor& color, double share) {
  const auto mix = [share](int below, int above) {
    return static_cast<int>(std::lround((1.0 - share) * below + share * above));
  };
  return {mix(ground.red(), color.red()), mix(ground.green(), color.green()),
          mix(ground.blue(), color.blue())};
}

}  // namespace dubito
