// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/lab_scroll.h"

#include <QEvent>
#include <QLayout>
#include <QScrollBar>
#include <algorithm>

#include "widgets/theme.h"

namespace dubito {

LabScroll::LabScroll(QWidget* content, QWidget* parent) : QScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setWidget(content);
  content->setAutoFillBackground(false);  // setWidget enabled it
  viewport()->setAutoFillBackground(false);
  content->installEventFilter(this);
}

bool LabScroll::eventFilter(QObject* watched, QEvent* event) {
  if (watched == widget() && event->type() == QEvent::LayoutRequest) {
    fitContent();
  }
  return QScrollArea::eventFilter(watched, event);
}

void LabScroll::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  fitContent();
}

void LabScroll::fitContent() {
  QWidget& content = *widget();
  const auto least = [&content](int width) {
    const QLayout& layout = *content.layout();
    return layout.hasHeightForWidth() ? layout.minimumHeightForWidth(width)
                                      : layout.minimumSize().height();
  };
  // With the bar, less width is left.
  const QSize room = maximumViewportSize();
  const bool scrolls = least(room.width()) > room.height();
  const int width = room.width() - (scrolls ? verticalScrollBar()->sizeHint().width() + kGrid : 0);
  content.resize(width, std::max(room.height(), least(width)));
}

}  // namespace dubito
