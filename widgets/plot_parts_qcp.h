// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFontMetrics>
#include <QPen>
#include <utility>
#include <vector>

#include "widgets/qcustomplot_wrapper.h"

namespace dubito {

/// Few round ticks whose labels share the decimals required by the step. With Unit::kPercent,
/// labels are percentages and the unit belongs in the axis title (percentTitle).
class RoundTicker : public QCPAxisTicker {
 public:
  enum class Unit { kPlain, kPercent };
  explicit RoundTicker(int tick_count = 5, Unit unit = Unit::kPlain);

  /// Reduces the tick count until the labels no longer touch, for `range` shown on `length` pixels,
  /// left to right or bottom to top. Returns whether the ticks changed.
  bool fit(const QCPRange& range, const QFontMetrics& metrics, int length,
           Qt::Orientation orientation);

 protected:
  double getTickStep(const QCPRange& range) override;
  QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;

 private:
  int wanted_ticks_;
  double scale_;  ///< factor applied to the labels
  int decimals_ = 1;
};

/// Ticks at given positions with given labels.
using LabelledTicks = std::vector<std::pair<double, QString>>;
[[nodiscard]] QSharedPointer<QCPAxisTicker> fixedTicks(const LabelledTicks& ticks);

/// A vertical line over the full height with a handle at its top, on the overlay layer.
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

/// Pen of one of the four dash patterns that distinguish curves.
[[nodiscard]] QPen dashPen(const QColor& color, int dash, double width);

}  // namespace dubito
