// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/key_sheet.h"

#include <QGridLayout>
#include <QLabel>

#include "widgets/theme.h"

namespace dubito {

KeySheet::KeySheet(QWidget* parent) : QDialog(parent) {
  setObjectName(QStringLiteral("keySheet"));
  setWindowTitle(tr("Keys"));
  auto* const grid = new QGridLayout(this);
  grid->setContentsMargins(6 * kGrid, 4 * kGrid, 6 * kGrid, 4 * kGrid);
  grid->setHorizontalSpacing(6 * kGrid);
  grid->setVerticalSpacing(2 * kGrid);
  const std::pair<QString, QString> lines[] = {
      {tr("Ctrl+O"), tr("open a file")},
      {tr("Ctrl+Return"), tr("set up a computation")},
      {tr("Ctrl+1, Ctrl+2"), tr("Overview, Images")},
      {tr("A, Left"), tr("previous image")},
      {tr("D, Right"), tr("next image")},
      {tr("Esc"), tr("clear the selection")},
      {tr("F1"), tr("this sheet")},
      {tr("drag in a histogram"), tr("select a range")},
      {tr("click a reliability bin"), tr("select its items")},
      {tr("double click a plot"), tr("show all of it again")},
      {tr("Shift while dropping"), tr("open as out of distribution")},
  };
  int row = 0;
  for (const auto& [key, meaning] : lines) {
    auto* const name = new QLabel(key, this);
    name->setProperty("role", QStringLiteral("title"));
    grid->addWidget(name, row, 0);
    grid->addWidget(new QLabel(meaning, this), row, 1);
    ++row;
  }
}

}  // namespace dubito
