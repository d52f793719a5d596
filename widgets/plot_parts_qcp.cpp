// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot_parts_qcp.h"

#include <QPolygonF>
#include <algorithm>
#include <array>
#include <cmath>

#include "widgets/number_text.h"
#include "widgets/theme.h"

namespace dubito {

RoundTicker::RoundTicker(int tick_count, Unit unit)
    : wanted_ticks_(tick_count), scale_(unit == Unit::kPercent ? 100.0 : 1.0) {
  setTickCount(tick_count);
}

bool RoundTicker::fit(const QCPRange& range, const QFontMetrics& metrics, int length,
                      Qt::Orientation orientation) {
  constexpr int kGap = 6;  // pixels
  const int before = tickCount();
  for (int count = wanted_ticks_; count > 0; --count) {
    setTickCount(count);
    const double step = getTickStep(range);
    const auto room = [&](double tick) {
      return orientation == Qt::Horizontal
                 ? metrics.horizontalAdvance(getTickLabel(tick, {}, {}, 0)) + kGap
                 : metrics.height();
    };
    if (length * step / range.size() >= std::max(room(range.lower), room(range.upper))) {
      break;
    }
  }
  return tickCount() != before;
}

double RoundTicker::getTickStep(const QCPRange& range) {
  // The base class may round the step down, which makes labels touch.
  double step = QCPAxisTicker::getTickStep(range);
  while (range.size() / step > tickCount() + 1.5) {
    step = cleanMantissa(2.0 * step);
  }
  double scaled = scale_ * step;
  decimals_ = 0;
  while (decimals_ < 9 && std::abs(scaled - std::round(scaled)) > 1e-6 * scaled) {
    scaled *= 10.0;
    ++decimals_;
  }
  return step;
}

QString RoundTicker::getTickLabel(double tick, const QLocale& /*locale*/, QChar /*format*/,
                                  int /*precision*/) {
  const double scaled = scale_ * tick;
  // Accumulated steps leave -1e-17 at zero, which would print as "-0.0".
  const double zero_band = 0.5 * std::pow(10.0, -decimals_);
  constexpr double kGroupedUpTo = 1e15;  // exact as integers
  if (decimals_ == 0 && std::abs(scaled) < kGroupedUpTo) {
    return countText(std::llround(scaled));  // as counts are written everywhere
  }
  return QString::number(std::abs(scaled) < zero_band ? 0.0 : scaled, 'f', decimals_);
}

QVector<double> PowerTicker::createTickVector(double /*step*/, const QCPRange& range) {
  constexpr int kMaxTicks = 6;
  constexpr double kSlack = 1e-9;  // of a power: rounding of the range
  QVector<double> ticks;
  if (!(range.lower > 0.0)) {
    return ticks;
  }
  const auto low = static_cast<int>(std::ceil(std::log10(range.lower) - kSlack));
  const auto high = static_cast<int>(std::floor(std::log10(range.upper) + kSlack));
  const int stride = std::max(1, (high - low + kMaxTicks) / kMaxTicks);
  const bool few = high - low < 2;
  for (int power = low - 1; power <= high; ++power) {
    if ((power - low) % stride != 0 && !few) {
      continue;
    }
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (factor == 1.0 || few) {
        ticks << factor * std::pow(10.0, power);
      }
    }
  }
  return ticks;
}

QString PowerTicker::getTickLabel(double tick, const QLocale& /*locale*/, QChar /*format*/,
                                  int /*precision*/) {
  constexpr int kPlainPowers = 3;
  const auto power = static_cast<int>(std::floor(std::log10(tick) + 1e-9));
  if (std::abs(power) <= kPlainPowers) {
    return power < kPlainPowers ? QString::number(tick, 'f', std::max(0, -power))
                                : countText(std::llround(tick));
  }
  const QString digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
  QString text;
  const auto factor = static_cast<int>(std::lround(tick / std::pow(10.0, power)));
  if (factor != 1) {
    text += QStringLiteral("%1·").arg(factor);
  }
  text += power < 0 ? QStringLiteral("10⁻") : QStringLiteral("10");
  for (const QChar digit : QString::number(std::abs(power))) {
    text += digits[digit.digitValue()];
  }
  return text;
}

QSharedPointer<QCPAxisTicker> fixedTicks(const LabelledTicks& ticks) {
  auto ticker = QSharedPointer<QCPAxisTickerText>::create();
  for (const auto& [position, text] : ticks) {
    ticker->addTick(position, text);
  }
  return ticker;
}

ThresholdLine::ThresholdLine(QCustomPlot* plot)
    : QCPAbstractItem(plot), position(createPosition(QStringLiteral("position"))) {
  position->setTypeX(QCPItemPosition::ptPlotCoords);
  position->setTypeY(QCPItemPosition::ptAxisRectRatio);
  setLayer(QStringLiteral("overlay"));
  // The handle extends slightly above the data area.
  setClipToAxisRect(false);
  setSelectable(false);
}

void ThresholdLine::setX(double x) {
  position->setCoords(x, 0.0);
}

double ThresholdLine::x() const {
  return position->coords().x();
}

double ThresholdLine::selectTest(const QPointF& /*position*/, bool /*only_selectable*/,
                                 QVariant* /*details*/) const {
  return -1.0;
}

void ThresholdLine::draw(QCPPainter* painter) {
  const QRect rect = position->axisRect()->rect();
  const double pixel = position->pixelPosition().x();
  if (pixel < rect.left() - 1 || pixel > rect.right() + 1) {
    return;
  }
  painter->setPen(linePen(color_, 1.5));
  painter->drawLine(QLineF(pixel, rect.top(), pixel, rect.bottom()));
  constexpr double kHalfWidth = 5.0;
  const QPolygonF handle{{QPointF(pixel - kHalfWidth, rect.top() - 3.0),
                          QPointF(pixel + kHalfWidth, rect.top() - 3.0),
                          QPointF(pixel, rect.top() + 5.0)}};
  painter->setPen(Qt::NoPen);
  painter->setBrush(color_);
  painter->setAntialiasing(true);
  painter->drawPolygon(handle);
}

QCPScatterStyle runMarker(const QColor& color, int marker, double size) {
  constexpr std::array kShapes{QCPScatterStyle::ssNone, QCPScatterStyle::ssSquare,
                               QCPScatterStyle::ssTriangle, QCPScatterStyle::ssDiamond};
  constexpr int kCount = static_cast<int>(kShapes.size());
  const int shape = ((marker % kCount) + kCount) % kCount;
  return {kShapes[static_cast<std::size_t>(shape)], color, color, size};
}

QPen linePen(const QColor& color, double width) {
  return {color, width * lookScale()};
}

QPen dashPen(const QColor& color, int dash, double width) {
  QPen pen = linePen(color, width);
  pen.setJoinStyle(Qt::RoundJoin);
  pen.setCapStyle(Qt::FlatCap);
  switch (((dash % 4) + 4) % 4) {
    case 1:
      pen.setDashPattern({4.0, 2.0});
      break;
    case 2:
      pen.setDashPattern({1.0, 1.5});
      break;
    case 3:
      pen.setDashPattern({5.0, 1.5, 1.0, 1.5});
      break;
    default:
      break;
  }
  return pen;
}

}  // namespace dubito
