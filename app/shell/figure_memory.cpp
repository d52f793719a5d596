// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/figure_memory.h"

#include <QSettings>

#include "widgets/figure_format.h"

namespace dubito {
namespace {

constexpr const char* kWidth = "figure/widthMm";
constexpr const char* kHeight = "figure/heightMm";
constexpr const char* kFont = "figure/fontPt";
constexpr const char* kDark = "figure/dark";
constexpr const char* kTitle = "figure/title";
constexpr const char* kPixels = "figure/pixels";

}  // namespace

void rememberFigureFormat(QSettings& settings, QObject& owner) {
  const FigureFormat usual;
  setFigureFormat({.width_mm = settings.value(kWidth, usual.width_mm).toDouble(),
                   .height_mm = settings.value(kHeight, usual.height_mm).toDouble(),
                   .font_pt = settings.value(kFont, usual.font_pt).toDouble(),
                   .is_dark = settings.value(kDark, usual.is_dark).toBool(),
                   .has_title = settings.value(kTitle, usual.has_title).toBool(),
                   .in_pixels = settings.value(kPixels, usual.in_pixels).toBool()});
  QObject::connect(&FigureFormatNotifier::instance(), &FigureFormatNotifier::changed, &owner,
                   [&settings] {
                     const FigureFormat& format = figureFormat();
                     settings.setValue(kWidth, format.width_mm);
                     settings.setValue(kHeight, format.height_mm);
                     settings.setValue(kFont, format.font_pt);
                     settings.setValue(kDark, format.is_dark);
                     settings.setValue(kTitle, format.has_title);
                     settings.setValue(kPixels, format.in_pixels);
                   });
}

}  // namespace dubito
