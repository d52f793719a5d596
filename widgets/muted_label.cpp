// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/muted_label.h"

#include <QLabel>

namespace dubito {

QLabel* makeMutedLabel(const QString& object_name, QWidget* parent) {
  auto* const label = new QLabel(parent);
  label->setObjectName(object_name);
  label->setProperty("role", QStringLiteral("muted"));
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  return label;
}

QLabel* makeStatusLabel(const QString& object_name, QWidget* parent) {
  QLabel* const label = makeMutedLabel(object_name, parent);
  label->ensurePolished();  // the style decides about the font
  label->setMinimumHeight(2 * label->fontMetrics().lineSpacing());
  return label;
}

}  // namespace dubito
