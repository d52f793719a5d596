// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/figure_format.h"

#include <algorithm>

#include "widgets/theme.h"

namespace dubito {
namespace {

FigureFormat& mutableFormat() {
  static FigureFormat format;
  return format;
}

}  // namespace

const FigureFormat& figureFormat() {
  return mutableFormat();
}

void setFigureFormat(FigureFormat format) {
  format.width_mm = std::clamp(format.width_mm, kMinFigureMm, kMaxFigureMm);
  format.height_mm = std::clamp(format.height_mm, kMinFigureMm, kMaxFigureMm);
  format.font_pt = std::clamp(format.font_pt, kMinFigurePt, kMaxFigurePt);
  if (format != figureFormat()) {
    mutableFormat() = format;
    Q_EMIT FigureFormatNotifier::instance().changed();
  }
}

FigureFormatNotifier& FigureFormatNotifier::instance() {
  static FigureFormatNotifier notifier;
  return notifier;
}

Theme themeOf(const FigureFormat& format) {
  return format.is_dark ? Theme::darkTheme() : Theme::light();
}

}  // namespace dubito
