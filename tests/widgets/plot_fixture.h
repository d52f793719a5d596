// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

#include "tests/support/gui_test.h"
#include "widgets/plot_base.h"
#include "widgets/qcustomplot_wrapper.h"

namespace dubito::test {

/// The drawing inside a plot widget.
inline QCustomPlot& innerPlot(PlotBase& widget) {
  return *widget.findChild<QCustomPlot*>(QStringLiteral("plot"));
}

/// Shows the widget at a size and waits until its layout has settled.
inline QCustomPlot& shown(PlotBase& widget, const QSize& size = {420, 320}) {
  widget.resize(size);
  widget.show();
  (void)QTest::qWaitForWindowExposed(&widget);
  deliverEvents();
  innerPlot(widget).replot(QCustomPlot::rpImmediateRefresh);
  return innerPlot(widget);
}

/// Where a point of the main axes lies, in the inner plot.
inline QPoint pixelOf(const QCustomPlot& plot, double x, double y) {
  return QPointF(plot.xAxis->coordToPixel(x), plot.yAxis->coordToPixel(y)).toPoint();
}

inline void drag(QWidget& widget, const QPoint& from, const QPoint& to) {
  QTest::mousePress(&widget, Qt::LeftButton, {}, from);
  for (int step = 1; step <= 4; ++step) {
    const QPoint at = from + (to - from) * step / 4;
    QMouseEvent move(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                     Qt::NoModifier);
    QCoreApplication::sendEvent(&widget, &move);
  }
  QTest::mouseRelease(&widget, Qt::LeftButton, {}, to);
}

/// Texts of the ticks inside the range of an axis.
inline QStringList tickTexts(QCPAxis& axis) {
  QVector<double> ticks;
  QVector<QString> labels;
  axis.ticker()->generate(axis.range(), QLocale::c(), QLatin1Char('f'), 6, ticks, nullptr, &labels);
  QStringList texts;
  for (qsizetype i = 0; i < ticks.size(); ++i) {
    if (axis.range().contains(ticks[i])) {
      texts << labels[i];
    }
  }
  return texts;
}

}  // namespace dubito::test
