// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/fold_tab.h"

#include <QPainter>

#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kWidth = 6 * kGrid;

}  // namespace

FoldTab::FoldTab(const QString& text, QWidget* parent) : QAbstractButton(parent) {
  setText(text);
  setAccessibleName(text);
  setCheckable(true);
  setFocusPolicy(Qt::TabFocus);
  setAttribute(Qt::WA_Hover);  // painted anew when the mouse comes and goes
  setFixedWidth(kWidth);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
  connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, qOverload<>(&QWidget::update));
}

QSize FoldTab::sizeHint() const {
  const QFontMetrics metrics(uiFont(TypeSize::kBody, true));
  return {kWidth, metrics.horizontalAdvance(text()) + 8 * kGrid};
}

void FoldTab::paintEvent(QPaintEvent* /*event*/) {
  const Theme& theme = currentTheme();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(hasFocus() ? theme.accent : theme.border);
  painter.setBrush(underMouse() ? theme.highlight : theme.panel);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kGrid, kGrid);
  painter.setFont(uiFont(TypeSize::kBody, true));
  painter.setPen(isChecked() ? theme.accent : theme.text);
  painter.translate(width(), 0);
  painter.rotate(90.0);
  painter.drawText(QRect(0, 0, height(), width()), Qt::AlignCenter, text());
}

}  // namespace dubito
