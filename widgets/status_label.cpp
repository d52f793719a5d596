// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/status_label.h"

#include <QLabel>

namespace dubito {

QLabel* makeStatusLabel(const char* object_name, QWidget* parent) {
  auto* const label = new QLabel(parent);
  label->setObjectName(QLatin1String(object_name));
  label->setProperty("role", QStringLiteral("muted"));
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->ensurePolished();  // the style decides about the font
  label->setMinimumHeight(2 * label->fontMetrics().lineSpacing());
  return label;
}

}  // namespace dubito
