// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/ridge_plot.h"

#include <algorithm>
#include <cmath>

#include "widgets/plot_parts_qcp.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

// Fraction of the distance between two baselines.
constexpr double kMaxRidgeHeight = 0.85;
constexpr int kRidgeNameWidth = 112;

}  // namespace

RidgePlot::RidgePlot(QWidget* parent) : PlotBase(parent) {
  setObjectName(QStringLiteral("ridgePlot"));
  plot().axisRect()->setAutoMargins(QCP::msBottom);
  enableZoom(*plot().axisRect(), {plot().xAxis}, true);
  rebuild();
}

RidgePlot::~RidgePlot() = default;

void RidgePlot::setRidges(std::vector<Ridge> ridges, const QString& x_label) {
  ridges_ = std::move(ridges);
  x_label_ = x_label;
  rebuild();
}

void RidgePlot::rebuild() {
  const Theme& theme = currentTheme();
  plot().clearPlottables();
  plot().clearItems();
  QCPAxis* const x = plot().xAxis;
  QCPAxis* const y = plot().yAxis;
  const QFontMetrics bold_metrics(uiFont(TypeSize::kBody, true));
  int name_width = 0;
  for (std::size_t row = 0; row < ridges_.size(); ++row) {
    const Ridge& ridge = ridges_[row];
    const double line = -static_cast<double>(row);
    const double largest = ridge.density.empty() ? 0.0 : *std::ranges::max_element(ridge.density);
    const double highest = ridge.top > 0.0 ? std::min(ridge.top, largest) : largest;
    const QColor color = ridge.is_true ? theme.correct : theme.accent;
    QCPGraph* const base = plot().addGraph(x, y);
    base->setPen(linePen(theme.grid, 1.0));
    base->setData({0.0, 1.0}, {line, line}, true);
    QCPGraph* const curve = plot().addGraph(x, y);
    QVector<double> heights;
    for (const double density : ridge.density) {
      heights << line + (highest > 0.0 ? kMaxRidgeHeight * std::min(density / highest, 1.0) : 0.0);
    }
    curve->setData(QVector<double>(ridge.x.begin(), ridge.x.end()), heights, true);
    curve->setPen(linePen(ridge.filled ? color : theme.muted, 1.5));
    if (ridge.filled) {
      curve->setBrush(translucent(color, 0.3));
      curve->setChannelFillGraph(base);
    }
    QCPGraph* const mean = plot().addGraph(x, y);
    mean->setPen(linePen(theme.text, 1.5));
    mean->setAdaptiveSampling(false);  // would treat two points with the same key as noise
    mean->setData({ridge.mean, ridge.mean}, {line, line + 0.18}, true);

    const QString name = (ridge.is_true ? QStringLiteral("✓ ") : QString()) + ridge.name;
    const QString shown = bold_metrics.elidedText(name, Qt::ElideRight, kRidgeNameWidth);
    name_width = std::max(name_width, bold_metrics.horizontalAdvance(shown));
    auto* const text = new QCPItemText(&plot());
    text->setClipToAxisRect(false);
    text->setSelectable(false);
    text->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    text->position->setCoords(0.0, line + 0.15);
    text->setPositionAlignment(Qt::AlignRight | Qt::AlignVCenter);
    text->setPadding(QMargins(6, 0, 6, 0));
    text->setText(shown);
    text->setFont(uiFont(TypeSize::kBody, ridge.filled));
    text->setColor(ridge.filled ? theme.text : theme.muted);
  }
  styleAxis(*x, x_label_);
  styleAxis(*y, {});
  x->setTicker(QSharedPointer<RoundTicker>::create(5));
  y->setTicker(fixedTicks({}));
  y->setTicks(false);
  y->setTickLabels(false);
  y->grid()->setVisible(false);
  plot().axisRect()->setMargins(QMargins(name_width + 8, kGrid, 3 * kGrid, 0));
  setFullRange(*x, 0.0, 1.0);
  setFullRange(*y, -static_cast<double>(std::max<std::size_t>(ridges_.size(), 1)) + 0.85, 1.0);
  replotSoon();
}

PlotTable RidgePlot::table() const {
  PlotTable table;
  table.columns = {"class", "in_set", "x", "density"};
  for (const Ridge& ridge : ridges_) {
    for (std::size_t i = 0; i < ridge.x.size(); ++i) {
      table.rows.push_back({ridge.name, ridge.filled ? 1 : 0, ridge.x[i], ridge.density[i]});
    }
  }
  return table;
}

QString RidgePlot::hoverText(const QPointF& position) const {
  const QRect rect = plot().axisRect()->rect();
  if (position.y() < rect.top() || position.y() > rect.bottom()) {
    return {};
  }
  const auto row = static_cast<int>(std::ceil(-plot().yAxis->pixelToCoord(position.y())));
  if (row < 0 || row >= static_cast<int>(ridges_.size())) {
    return {};
  }
  const Ridge& ridge = ridges_[static_cast<std::size_t>(row)];
  QString text =
      tr("%1: mean %2\n%3")
          .arg(ridge.name, shortText(ridge.mean, 4),
               ridge.filled ? tr("in the uncertainty-aware top-k set") : tr("not in the set"));
  if (ridge.top > 0.0) {
    text += tr("\ninfinite density at an edge, clipped");
  }
  return text;
}

}  // namespace dubito
