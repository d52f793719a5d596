// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/study/study_fields.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolButton>

#include "widgets/theme.h"

namespace dubito {

StudyFields::StudyFields(const StudyDraft& draft, QWidget* parent)
    : QWidget(parent), draft_(draft), layout_(new QFormLayout(this)) {
  layout_->setContentsMargins(0, 0, 0, 0);
  layout_->setHorizontalSpacing(4 * kGrid);
  layout_->setVerticalSpacing(2 * kGrid);
  layout_->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  layout_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
}

QLineEdit* StudyFields::makeEdit(const Text& text) {
  auto* const edit = new QLineEdit(this);
  edit->setObjectName(QLatin1String(text.name));
  edit->setAccessibleName(text.label);
  edit->setToolTip(text.tip);
  edit->setPlaceholderText(text.placeholder);
  const Place place(text.place);
  const StudyFieldKind kind = text.kind;
  connect(edit, &QLineEdit::textEdited, this, [this, place, kind](const QString& typed) {
    Q_EMIT edited(base_ / place, valueOfText(typed, kind));
  });
  rows_.push_back({place, [edit, kind](const StudyJson* value) {
                     // What is being typed must not be rewritten: "0." means 0.
                     const StudyJson shown = valueOfText(edit->text(), kind);
                     const bool means_it = value == nullptr ? shown.is_null() : shown == *value;
                     if (const QString wanted = textOfValue(value, kind);
                         !means_it && wanted != edit->text()) {
                       edit->setText(wanted);
                       edit->setCursorPosition(0);
                     }
                   }});
  return edit;
}

void StudyFields::addText(const Text& text) {
  addText(text, {});
}

void StudyFields::addText(const Text& text,
                          std::function<void(QMenu& menu, const Offer& offer)> fill) {
  QLineEdit* const edit = makeEdit(text);
  auto* const label = new QLabel(text.label, this);
  label->setToolTip(text.tip);
  label->setMinimumWidth(kFormLabelWidth);
  label->setBuddy(edit);
  if (!fill) {
    layout_->addRow(label, edit);
    return;
  }
  auto* const line = new QHBoxLayout;
  line->setSpacing(kGrid);
  auto* const button = new QToolButton(this);
  button->setObjectName(QLatin1String(text.name) + QStringLiteral("Choose"));
  button->setText(QString(QChar(0x2026)));
  button->setToolTip(tr("Choose what is open, or a file"));
  button->setAccessibleName(tr("Choose: %1").arg(text.label));
  connect(button, &QToolButton::clicked, this, [this, button, edit, fill = std::move(fill)] {
    auto* const menu = new QMenu(button);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fill(*menu, [edit](const QString& chosen) {
      edit->setText(chosen);
      Q_EMIT edit->textEdited(chosen);
    });
    menu->popup(button->mapToGlobal(QPoint(0, button->height())));
  });
  button->setFixedHeight(edit->sizeHint().height());
  line->addWidget(edit, 1);
  line->addWidget(button);
  layout_->addRow(label, line);
}

void StudyFields::addChoice(const QString& label, const char* name, const char* place,
                            const QString& tip,
                            const std::vector<std::pair<std::string, QString>>& choices,
                            bool is_required) {
  auto* const box = new QComboBox(this);
  box->setObjectName(QLatin1String(name));
  box->setAccessibleName(label);
  box->setToolTip(tip);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  for (const auto& [key, title] : choices) {
    box->addItem(title, QString::fromStdString(key));
  }
  auto* const text = new QLabel(label, this);
  text->setToolTip(tip);
  text->setMinimumWidth(kFormLabelWidth);
  text->setBuddy(box);
  layout_->addRow(text, box);
  const Place at{place};
  connect(box, &QComboBox::activated, this, [this, box, at, is_required](int index) {
    const bool removes = index == 0 && !is_required;
    Q_EMIT edited(base_ / at, removes ? StudyJson(nullptr)
                                      : StudyJson(box->itemData(index).toString().toStdString()));
  });
  rows_.push_back({at, [box](const StudyJson* value) {
                     const QSignalBlocker quiet(box);
                     box->setCurrentIndex(
                         value == nullptr || !value->is_string()
                             ? 0
                             : box->findData(QString::fromStdString(value->get<std::string>())));
                   }});
}

void StudyFields::setBase(const Place& base) {
  base_ = base;
  reload();
}

void StudyFields::reload() {
  for (const Row& row : rows_) {
    row.show(draft_.find(base_ / row.place));
  }
}

}  // namespace dubito
