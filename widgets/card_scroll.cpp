// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/card_scroll.h"

#include <QScrollArea>

namespace dubito {

QScrollArea* makeCardScroll(QWidget* content, QWidget* parent) {
  auto* const scroll = new QScrollArea(parent);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(content);
  content->setAutoFillBackground(false);  // setWidget enabled it; the card shows through
  scroll->viewport()->setAutoFillBackground(false);
  return scroll;
}

}  // namespace dubito
