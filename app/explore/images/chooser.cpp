// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/explore/images/chooser.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <algorithm>

#include "widgets/theme.h"

namespace dubito {

QComboBox* addChooser(QLayout& bar, const QString& label, const char* name, QWidget* parent) {
  auto* const pair = new QWidget(parent);
  auto* const line = new QHBoxLayout(pair);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(2 * kGrid);
  auto* const text = new QLabel(label, pair);
  text->setProperty("role", QStringLiteral("muted"));
  auto* const box = new QComboBox(pair);
  box->setObjectName(QLatin1String(name));
  box->setAccessibleName(label);
  box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  text->setBuddy(box);
  line->addWidget(text);
  line->addWidget(box);
  bar.addWidget(pair);
  return box;
}

void fitToTexts(QComboBox& box) {
  constexpr int kFrame = 10 * kGrid;
  constexpr int kMaxBoxWidth = 56 * kGrid;
  constexpr int kMinBoxWidth = 40 * kGrid;  // wide enough for every measure name
  int widest = 0;
  for (int i = 0; i < box.count(); ++i) {
    widest = std::max(widest, box.fontMetrics().horizontalAdvance(box.itemText(i)));
  }
  // In a narrow card, shrink the choosers before they overlap.
  box.setMinimumWidth(std::min(widest + kFrame, kMinBoxWidth));
  box.setMaximumWidth(std::min(widest + kFrame, kMaxBoxWidth));
}

}  // namespace dubito
