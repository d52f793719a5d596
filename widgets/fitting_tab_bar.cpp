// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/fitting_tab_bar.h"

#include "widgets/theme.h"

namespace dubito {

FittingTabBar::FittingTabBar(QWidget* parent) : QTabBar(parent) {
  setDrawBase(false);
  setExpanding(false);
  setUsesScrollButtons(false);
  setElideMode(Qt::ElideRight);
}

void FittingTabBar::resizeEvent(QResizeEvent* event) {
  QTabBar::resizeEvent(event);
  if (!narrow_) {
    roomy_width_ = sizeHint().width();
  }
  if (const bool narrow = width() < roomy_width_; narrow != narrow_) {
    narrow_ = narrow;
    setStyleSheet(
        narrow
            ? QStringLiteral("QTabBar::tab { padding-left: %1px; padding-right: %1px; }").arg(kGrid)
            : QString());
  }
}

}  // namespace dubito
