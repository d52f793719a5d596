// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/busy_veil.h"

#include <QPainter>

#include "widgets/theme.h"

namespace dubito {

BusyVeil::BusyVeil(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("busyVeil"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAccessibleName(tr("Computing…"));
  hide();
  delay_.setSingleShot(true);
  delay_.setInterval(kDelayMs);
  connect(&delay_, &QTimer::timeout, this, [this] {
    raise();
    show();
  });
}

void BusyVeil::setBusy(bool is_busy) {
  if (!is_busy) {
    delay_.stop();
    hide();
  } else if (isHidden() && !delay_.isActive()) {
    delay_.start();
  }
}

void BusyVeil::cover(const QRect& area) {
  setGeometry(area);
}

void BusyVeil::paintEvent(QPaintEvent* /*event*/) {
  constexpr double kFade = 0.65;
  const Theme& theme = currentTheme();
  QPainter painter(this);
  painter.fillRect(rect(), translucent(theme.panel, kFade));
  painter.setPen(theme.text);
  painter.setFont(uiFont(TypeSize::kBody, true));
  painter.drawText(rect(), Qt::AlignCenter, accessibleName());
}

}  // namespace dubito
