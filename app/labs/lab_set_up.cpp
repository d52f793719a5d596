// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/lab_set_up.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

#include "widgets/card_scroll.h"
#include "widgets/options_form.h"
#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {

LabSetUp::LabSetUp(const QString& title, const char* name, int width, QWidget* parent)
    : Card(title, parent),
      usual_width_(width),
      body_(new QWidget(this)),
      scroll_(makeCardScroll(body_, this)) {
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
  setContent(scroll_);
  body_->installEventFilter(this);
}

bool LabSetUp::eventFilter(QObject* watched, QEvent* event) {
  if (watched == body_ && event->type() == QEvent::LayoutRequest) {
    fitWidth();
  }
  return Card::eventFilter(watched, event);
}

void LabSetUp::fitWidth() {
  const QMargins margins = layout()->contentsMargins();
  setFixedWidth(std::max(usual_width_, body_->minimumSizeHint().width() + margins.left() +
                                           margins.right() +
                                           scroll_->verticalScrollBar()->sizeHint().width()));
}

void LabSetUp::addHeading(const QString& text) {
  auto* const heading = new QLabel(text, body_);
  heading->setFont(uiFont(TypeSize::kBody, true));
  rows_->addWidget(heading);
}

QLabel* LabSetUp::addText(const char* name) {
  auto* const text = new WrappedLabel(body_);
  text->setObjectName(QLatin1String(name));
  text->setProperty("role", QStringLiteral("muted"));
  rows_->addWidget(text);
  return text;
}

QComboBox* LabSetUp::addList(const QString& title, const char* name) {
  auto* const list = new QComboBox(body_);
  list->setObjectName(QLatin1String(name));
  list->setAccessibleName(title);
  rows_->addWidget(list);
  return list;
}

void LabSetUp::addExplanation(QComboBox& list) {
  QLabel* const text = addText(qPrintable(list.objectName() + QStringLiteral("Text")));
  const auto show = [&list, text] { text->setText(list.currentData(Qt::ToolTipRole).toString()); };
  connect(&list, &QComboBox::currentIndexChanged, text, show);
  show();
}

QCheckBox* LabSetUp::addCheck(const QString& text, const QString& name, const QString& tip) {
  auto* const box = new QCheckBox(text, body_);
  box->setObjectName(name);
  box->setToolTip(tip);
  rows_->addWidget(box);
  return box;
}

std::pair<QLabel*, QSpinBox*> LabSetUp::addNumber(const QString& title, const char* name,
                                                  const QString& tip) {
  auto* const row = new QHBoxLayout;
  auto* const label = new QLabel(title, body_);
  label->setFixedWidth(kFormLabelWidth);
  auto* const box = new QSpinBox(body_);
  box->setObjectName(QLatin1String(name));
  box->setAccessibleName(title);
  box->setToolTip(tip);
  box->setRange(0, std::numeric_limits<int>::max());
  box->setMinimumWidth(kGrid);  // not as wide as the largest number
  row->addWidget(label);
  row->addWidget(box, 1);
  rows_->addLayout(row);
  return {label, box};
}

OptionsForm* LabSetUp::addForm(const char* name) {
  auto* const form = new OptionsForm(body_);
  form->setObjectName(QLatin1String(name));
  rows_->addWidget(form);
  return form;
}

std::vector<Field> effectiveFieldsWithout(std::vector<Field> fields,
                                          std::initializer_list<const char*> names) {
  std::erase_if(fields, [&](const Field& field) {
    return !field.info.unmet_requirement.empty() ||
           std::ranges::find(names, field.info.name) != names.end();
  });
  return fields;
}

}  // namespace dubito
