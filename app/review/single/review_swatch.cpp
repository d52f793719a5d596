// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review/single/review_swatch.h"

#include <QPixmap>

#include "widgets/theme.h"

namespace dubito {

QColor classColour(const LabelClass& entry) {
  const QColor own(QString::fromStdString(entry.colour));
  return own.isValid() ? own : currentTheme().classColor(static_cast<int>(entry.id));
}

QIcon classSwatch(const LabelClass& entry) {
  QPixmap square(3 * kGrid, 3 * kGrid);
  square.fill(classColour(entry));
  return square;
}

}  // namespace dubito
