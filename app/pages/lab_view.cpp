// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/lab_view.h"

#include <QHBoxLayout>
#include <QHideEvent>
#include <QShowEvent>

#include "app/labs/lab_player.h"
#include "widgets/theme.h"

namespace dubito {

void LabView::setParts(QWidget* set_up, QWidget* results) {
  auto* const layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * kGrid);
  layout->addWidget(set_up);
  layout->addWidget(results, 1);
}

void LabView::hideEvent(QHideEvent* event) {
  if (!event->spontaneous() && pausing_ != nullptr) {
    plays_when_shown_ = pausing_->isPlaying();
    pausing_->pause();
  }
  QWidget::hideEvent(event);
}

void LabView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (!event->spontaneous() && plays_when_shown_) {
    plays_when_shown_ = false;
    pausing_->play();
  }
}

}  // namespace dubito
