// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/fitting_parts.h"

namespace dubito {

QString fittingParts(const QString& text, const QFontMetrics& metrics, int width) {
  const QString separator = QStringLiteral(" · ");
  QString shown = text;
  while (metrics.horizontalAdvance(shown) > width) {
    const qsizetype last = shown.lastIndexOf(separator);
    if (last <= 0) {
      return metrics.elidedText(shown, Qt::ElideRight, width);
    }
    shown.truncate(last);
  }
  return shown;
}

}  // namespace dubito
