// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text_width.h"

#include <QFontMetricsF>
#include <QWidget>
#include <cmath>

#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr char kWidth[] = "textWidth";

void fit(QWidget& widget) {
  widget.setFixedWidth(
      static_cast<int>(std::lround(lookScale() * widget.property(kWidth).toInt())));
}

}  // namespace

void setTextWidth(QWidget& widget, int width) {
  const bool follows = widget.property(kWidth).isValid();
  widget.setProperty(kWidth, width);
  fit(widget);
  if (!follows) {
    QObject::connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, &widget,
                     [&widget] { fit(widget); });
  }
}

int usualTextWidth(const QString& text) {
  const QFontMetricsF metrics(uiFont(TypeSize::kBody));
  return static_cast<int>(std::ceil(metrics.horizontalAdvance(text) / lookScale()));
}

}  // namespace dubito
