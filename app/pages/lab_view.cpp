// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/lab_view.h"

#include <QHideEvent>
#include <QShowEvent>

#include "app/labs/lab_runner.h"

namespace dubito {

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
