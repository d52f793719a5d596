// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFontMetrics>
#include <QPen>
#include <utility>
#include <vector>

#include "widgets/qcustomplot_wrapper.h"

namespace dubito {

/// A few ticks at round numbers. All labels have as many decimals as the tick step requires. With
/// Unit::kPercent, labels are percentages without "%", which belongs in the axis title
/// (percentTitle).
class RoundTicker : public QCPAxisTicker {
 public:
  enum class Unit { kPlain, kPercent };
  explicit RoundTicker(int tick_count = 5, Unit unit = Unit::kPlain);

  /// Reduces the number of ticks until the labels no longer touch. The axis shows `range` on
  /// `length` pixels in the given orientation. Returns whether the ticks have changed.
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

/// Ticks of a logarithmic axis: powers of 10 ("100", "10⁴"), and 2 and 5 times these if the axis
/// shows few of them.
class PowerTicker : public QCPAxisTicker {
 protected:
  QVector<double> createTickVector(double step, const QCPRange& range) override;
  QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
};

/// Positions of ticks and their labels.
using LabelledTicks = std::vector<std::pair<double, QString>>;
/// A ticker with exactly these ticks.
[[nodiscard]] QSharedPointer<QCPAxisTicker> fixedTicks(const LabelledTicks& ticks);

/// A vertical line over the full height of the plot, with a handle at the top, on the overlay
/// layer.
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

/// A pen for lines in a plot, of `width` pixels times lookScale().
[[nodiscard]] QPen linePen(const QColor& color, double width);
/// linePen() with the dash pattern with index `dash`; four patterns distinguish curves
/// (StyledCurve::dash).
[[nodiscard]] QPen dashPen(const QColor& color, int dash, double width);

/// The shape with index `marker` that distinguishes curves of the same colour and dash pattern
/// (StyledCurve::marker): 1 square, 2 triangle, 3 diamond; 0: none.
[[nodiscard]] QCPScatterStyle runMarker(const QColor& color, int marker, double size);

}  // namespace dubito
