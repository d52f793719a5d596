// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/muted_label.h"

#include <QLabel>
#include <QStyle>

#include "widgets/wrapped_label.h"

namespace dubito {

QLabel* makeLabel(const char* role, const QString& object_name, QWidget* parent,
                  const QString& text) {
  auto* const label = new WrappedLabel(text, parent);
  label->setObjectName(object_name);
  label->setProperty("role", QLatin1String(role));
  label->setTextFormat(Qt::PlainText);
  return label;
}

QLabel* makeMutedLabel(const QString& object_name, QWidget* parent, const QString& text) {
  return makeLabel("muted", object_name, parent, text);
}

void showMessage(QLabel& label, const QString& text, bool is_error) {
  label.setText(text);
  label.setProperty("role", is_error ? QStringLiteral("error") : QStringLiteral("muted"));
  label.style()->unpolish(&label);
  label.style()->polish(&label);
}

QLabel* makeStatusLabel(const QString& object_name, QWidget* parent) {
  QLabel* const label = makeMutedLabel(object_name, parent);
  label->ensurePolished();  // the style decides about the font
  label->setMinimumHeight(2 * label->fontMetrics().lineSpacing());
  return label;
}

}  // namespace dubito
