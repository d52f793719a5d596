// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/lab_set_up.h"

#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include "widgets/card_scroll.h"
#include "widgets/theme.h"

namespace dubito {

LabSetUp::LabSetUp(const QString& title, const char* name, int width, QWidget* parent)
    : Card(title, parent), body_(new QWidget(this)) {
  setObjectName(QLatin1String(name));
  setFixedWidth(width);
  // Keeps the rows at the top; rows() is inserted before the stretch.
  auto* const column = new QVBoxLayout(body_);
  column->setContentsMargins(0, 0, 3 * kGrid, 0);
  column->setSpacing(0);
  rows_ = new QVBoxLayout;
  rows_->setSpacing(2 * kGrid);
  column->addLayout(rows_);
  column->addStretch(1);
  setContent(makeCardScroll(body_, this));
}

void LabSetUp::addHeading(const QString& text) {
  auto* const heading = new QLabel(text, body_);
  heading->setFont(uiFont(TypeSize::kBody, true));
  rows_->addWidget(heading);
}

QLabel* LabSetUp::addText(const char* name) {
  auto* const text = new QLabel(body_);
  text->setObjectName(QLatin1String(name));
  text->setProperty("role", QStringLiteral("muted"));
  text->setWordWrap(true);
  rows_->addWidget(text);
  return text;
}

}  // namespace dubito
