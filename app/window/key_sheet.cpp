// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/key_sheet.h"

#include <QGridLayout>
#include <QLabel>
#include <iterator>

#include "widgets/theme.h"

namespace dubito {

KeySheet::KeySheet(std::vector<KeyMeaning> keys, QWidget* parent) : QDialog(parent) {
  setObjectName(QStringLiteral("keySheet"));
  setWindowTitle(tr("Keys"));
  auto* const grid = new QGridLayout(this);
  grid->setContentsMargins(6 * kGrid, 4 * kGrid, 6 * kGrid, 4 * kGrid);
  grid->setHorizontalSpacing(6 * kGrid);
  grid->setVerticalSpacing(2 * kGrid);
  const KeyMeaning others[] = {
      {tr("A, Left"), tr("previous image")},
      {tr("D, Right"), tr("next image")},
      {tr("Esc"), tr("clear the selection")},
      {tr("drag in a histogram"), tr("select a range")},
      {tr("click a reliability bin"), tr("select its items")},
      {tr("click a confusion cell"), tr("list its items")},
      {tr("double click a plot"), tr("show all of it again")},
      {tr("Shift while dropping"), tr("open as out of distribution")},
  };
  keys.insert(keys.end(), std::begin(others), std::end(others));
  int row = 0;
  for (const auto& [key, meaning] : keys) {
    auto* const name = new QLabel(key, this);
    name->setProperty("role", QStringLiteral("title"));
    grid->addWidget(name, row, 0);
    grid->addWidget(new QLabel(meaning, this), row, 1);
    ++row;
  }
}

}  // namespace dubito
