// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/lab_results.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "app/labs/lab_bar.h"
#include "app/labs/lab_values.h"
#include "widgets/card.h"
#include "widgets/theme.h"
#include "widgets/wrapped_label.h"

namespace dubito {

LabResults::LabResults(QWidget* parent) : QWidget(parent), rows_(new QVBoxLayout(this)) {
  rows_->setContentsMargins(0, 0, 0, 0);
  rows_->setSpacing(2 * kGrid);
}

LabBar* LabResults::addBar(LabPlayer& runner) {
  auto* const bar = new LabBar(runner, this);
  rows_->addWidget(bar);
  return bar;
}

QLabel* LabResults::addText(const char* name) {
  auto* const text = new WrappedLabel(this);
  text->setObjectName(QLatin1String(name));
  rows_->addWidget(text);
  return text;
}

QLabel* LabResults::addSentence(const char* name) {
  QLabel* const sentence = addText(name);
  sentence->setFont(uiFont(TypeSize::kTitle, true));
  sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return sentence;
}

QLabel* LabResults::addNotes(const char* name) {
  QLabel* const notes = addText(name);
  notes->setProperty("role", QStringLiteral("error"));
  notes->hide();
  return notes;
}

QHBoxLayout* LabResults::addRow(int stretch) {
  auto* const row = new QHBoxLayout;
  row->setSpacing(2 * kGrid);
  rows_->addLayout(row, stretch);
  return row;
}

QHBoxLayout* LabResults::addCards(std::initializer_list<Card*> cards, int height) {
  QHBoxLayout* const row = addRow(1);
  for (Card* const card : cards) {
    card->setMinimumHeight(height);
    row->addWidget(card, 1);
  }
  return row;
}

QVBoxLayout* addColumn(QBoxLayout& row, int stretch) {
  auto* const column = new QVBoxLayout;
  column->setSpacing(2 * kGrid);
  row.addLayout(column, stretch);
  return column;
}

void showNotes(QLabel& notes, const QString& error, const std::vector<std::string>& warnings) {
  QStringList lines{error};
  lines << toTexts(warnings);
  lines.removeAll({});
  notes.setText(lines.join(u'\n'));
  notes.setVisible(!lines.isEmpty());
}

}  // namespace dubito
