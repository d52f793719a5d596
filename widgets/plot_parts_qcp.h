// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFontMetrics>
#include <QPen>
#include <utility>
#include <vector>

#include "widgets/qcustomplot_wrapper.h"

namespace dubito {

/// Few round ticks, all labels with the decimals that the step needs; with Unit::kPercent labels of
/// shares, the unit standing in the title of the axis (percentTitle).
class RoundTicker : public QCPAxisTicker {
 public:
  enum class Unit { kPlain, kPercent };
  explicit RoundTicker(int tick_count = 5, Unit unit = Unit::kPlain);

  /// Takes as many of the wanted ticks as have labels that stand apart, where the range is shown on
  /// `length` pixels from left to right, or from bottom to top; whether that changed anything.
  bool fit(const QCPRange& range, const QFontMetrics& metrics, int length,
           Qt::Orientation orientation);

 protected:
  double getTickStep(const QCPRange& range) override;
  QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;

 private:
  int wanted_ticks_;
  double scale_;  ///< of the labels
  int decimals_ = 1;
};

/// Ticks at chosen places with chosen texts.
using LabelledTicks = std::vector<std::pair<double, QString>>;
[[nodiscard]] QSharedPointer<QCPAxisTicker> fixedTicks(const LabelledTicks& ticks);

/// A vertical line over the whole height with a handle at its top, on the overlay layer.
class ThresholdLine : public QCPAbstractItem {
 public:
  explicit ThresholdLine(QCustomPlot* plot);

  void setColor(const QColor& color) { color_ = color; }
  void setX(double x);
  [[nodiscard]] double x() const;
  double selectTest(const QPointF& position, bool only_selectable,
                    QVariant* details = nullptr) const override;

  QCPItemPosition* const position;

 protected:
  void draw(QCPPainter* painter) override;

 private:
  QColor color_;
};

/// The pens of the four dashes that tell curves apart.
[[nodiscard]] QPen dashPen(const QColor& color, int dash, double width);

}  // namespace dubito
