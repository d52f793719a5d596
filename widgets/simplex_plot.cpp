// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/simplex_plot.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/base/iso_lines.h"
#include "widgets/density_color.h"
#include "widgets/number_text.h"
#include "widgets/plot_parts_qcp.h"
#include "widgets/simplex_image.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr double kHeight = 0.5 * std::numbers::sqrt3;
// Relative to the side of the triangle: room for the marks at the corners and for the names.
constexpr double kSideRoom = 0.02;
constexpr double kLowest = -0.1;
constexpr int kCornerNameWidth = 30 * kGrid;

/// Plot coordinates of a point of the triangle.
QPointF placeOf(const Triple& p) {
  return {p[1] + 0.5 * p[2], kHeight * p[2]};
}

/// An image over a box of the plot, below everything else.
class BoxImage : public QCPAbstractItem {
 public:
  BoxImage(QCustomPlot* plot, QImage image)
      : QCPAbstractItem(plot),
        top_left_(createPosition(QStringLiteral("topLeft"))),
        bottom_right_(createPosition(QStringLiteral("bottomRight"))),
        image_(std::move(image)) {
    setLayer(QStringLiteral("grid"));
    setSelectable(false);
    top_left_->setCoords(0.0, kHeight);
    bottom_right_->setCoords(1.0, 0.0);
  }
  double selectTest(const QPointF& /*position*/, bool /*only_selectable*/,
                    QVariant* /*details*/) const override {
    return -1.0;
  }

 protected:
  void draw(QCPPainter* painter) override {
    painter->setRenderHint(QPainter::SmoothPixmapTransform);
    painter->drawImage(QRectF(top_left_->pixelPosition(), bottom_right_->pixelPosition()), image_);
  }

 private:
  QCPItemPosition* top_left_;
  QCPItemPosition* bottom_right_;
  QImage image_;
};

QCPCurve* addMark(QCustomPlot& plot, const Triple& p, QCPScatterStyle::ScatterShape shape,
                  double size, const QString& name) {
  auto* const mark = new QCPCurve(plot.xAxis, plot.yAxis);
  const QColor ink(0x16, 0x18, 0x1d);
  mark->setLineStyle(QCPCurve::lsNone);
  mark->setScatterStyle(QCPScatterStyle(shape, linePen(ink, 1.5), QBrush(Qt::white), size));
  mark->addData(placeOf(p).x(), placeOf(p).y());
  mark->setName(name);
  mark->addToLegend();
  return mark;
}

}  // namespace

SimplexPlot::SimplexPlot(QWidget* parent) : PlotBase(parent) {
  setObjectName(QStringLiteral("simplexPlot"));
  QCPAxisRect& rect = *plot().axisRect();
  rect.setAutoMargins(QCP::msNone);
  rect.setMargins(QMargins(0, 0, 0, 0));
  for (QCPAxis* const axis : {plot().xAxis, plot().yAxis}) {
    axis->setVisible(false);
    axis->grid()->setVisible(false);
  }
  enableZoom(rect, {plot().xAxis, plot().yAxis}, true);
  setAspectLimit(rect, 1.0);
  setFullRange(*plot().xAxis, -kSideRoom, 1.0 + kSideRoom);
  setFullRange(*plot().yAxis, kLowest, kLowest + 1.0 + 2.0 * kSideRoom);
  rect.insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignLeft);
  rect.insetLayout()->setMargins(QMargins(0, 0, 0, 0));
  plot().legend->setBorderPen(Qt::NoPen);
  plot().legend->setBrush(Qt::NoBrush);
  plot().legend->setIconSize(12, 12);
  plot().legend->setRowSpacing(0);
  plot().legend->setMargins(QMargins(0, 0, 0, 0));
  rebuild();
}

SimplexPlot::~SimplexPlot() = default;

void SimplexPlot::setValue(SimplexValue value) {
  value_ = std::move(value);
  rebuild();
}

void SimplexPlot::setOutline(std::vector<Triple> outline, std::vector<Triple> handles) {
  value_.outline = std::move(outline);
  value_.handles = std::move(handles);
  rebuild();
}

void SimplexPlot::setView(View view) {
  view_ = view;
  rebuild();
}

bool SimplexPlot::showsCounts() const {
  return view_ == View::kHistogram && !value_.counts.empty();
}

void SimplexPlot::addLines() {
  QStringList shares;
  QCPCurve* in_legend = nullptr;
  for (const DensityLevel& level : value_.density->levels) {
    const double share = 1.0 + (level.log_density - highest_) / kDepth;
    // Lines over counts cross dark and bright triangles; most are dark.
    const QColor color = showsCounts() ? QColor(Qt::white) : onDensityColor(share);
    shares << QString::number(100.0 * level.share);
    for (const Polyline& line : isoLines(value_.density->log_density, level.log_density)) {
      auto* const curve = new QCPCurve(plot().xAxis, plot().yAxis);
      QVector<double> y;
      for (const double height : line.y) {
        y << kHeight * height;
      }
      curve->setData(QVector<double>(line.x.begin(), line.x.end()), y);
      curve->setPen(linePen(translucent(color, 0.85), 1.0));
      curve->setAntialiased(true);
      in_legend = curve;
    }
  }
  if (in_legend != nullptr) {
    // A separate legend sample: lines in the picture adapt to their background.
    auto* const sample = new QCPCurve(plot().xAxis, plot().yAxis);
    sample->setPen(linePen(currentTheme().muted, 1.0));
    sample->setName(shares.join(QStringLiteral(" · ")) + tr(" %"));
    sample->addToLegend();
  }
}

void SimplexPlot::addMarks() {
  if (!value_.draws.empty() && !showsCounts()) {
    QCPGraph* const dots = plot().addGraph();
    QVector<double> x;
    QVector<double> y;
    for (const Triple& draw : value_.draws) {
      x << placeOf(draw).x();
      y << placeOf(draw).y();
    }
    dots->setData(x, y);
    dots->setLineStyle(QCPGraph::lsNone);
    dots->setPen(Qt::NoPen);
    dots->setAdaptiveSampling(false);
    dots->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle,
                                          linePen(QColor(0x16, 0x18, 0x1d, 160), 0.7),
                                          QBrush(QColor(255, 255, 255, 220)), 3.5));
    dots->setName(countedText(std::ssize(value_.draws), tr("%1 draw"), tr("%1 draws")));
    dots->addToLegend();
  }
  if (value_.mean) {
    addMark(plot(), *value_.mean, QCPScatterStyle::ssCircle, 9.0, tr("mean"));
  }
  if (value_.density && value_.density->mode) {
    addMark(plot(), *value_.density->mode, QCPScatterStyle::ssDiamond, 10.0, tr("mode"));
  }
}

void SimplexPlot::addOutline() {
  if (value_.outline.empty()) {
    return;
  }
  const QColor color = currentTheme().accent;
  auto* const line = new QCPCurve(plot().xAxis, plot().yAxis);
  line->setPen(linePen(color, 2.0));
  line->setAntialiased(true);
  for (const Triple& p : value_.outline) {
    line->addData(placeOf(p).x(), placeOf(p).y());
  }
  line->setName(value_.outline_name);
  if (!value_.outline_name.isEmpty()) {
    line->addToLegend();
  }
  auto* const marks = new QCPCurve(plot().xAxis, plot().yAxis);
  marks->setLineStyle(QCPCurve::lsNone);
  marks->setScatterStyle(
      QCPScatterStyle(QCPScatterStyle::ssSquare, linePen(color, 2.0), QBrush(Qt::white), 9.0));
  for (const Triple& p : value_.handles) {
    marks->addData(placeOf(p).x(), placeOf(p).y());
  }
}

int SimplexPlot::handleAt(const QPointF& position) const {
  constexpr double kReach = 9.0;
  double nearest = kReach;
  int found = -1;
  for (std::size_t i = 0; i < value_.handles.size(); ++i) {
    const QPointF place = placeOf(value_.handles[i]);
    const double distance = std::hypot(plot().xAxis->coordToPixel(place.x()) - position.x(),
                                       plot().yAxis->coordToPixel(place.y()) - position.y());
    // Of handles at the same place, the last: the end of an axis that has become short.
    if (distance <= nearest) {
      nearest = distance;
      found = static_cast<int>(i);
    }
  }
  return found;
}

Triple SimplexPlot::probsAt(const QPointF& position) const {
  const double y = plot().yAxis->pixelToCoord(position.y()) / kHeight;
  const double x = plot().xAxis->pixelToCoord(position.x());
  return {1.0 - x - 0.5 * y, x - 0.5 * y, y};
}

bool SimplexPlot::mousePressed(const QPointF& position) {
  dragged_ = handleAt(position);
  return dragged_ >= 0;
}

bool SimplexPlot::mouseMoved(const QPointF& position) {
  if (dragged_ < 0) {
    plot().setCursor(handleAt(position) >= 0 ? Qt::SizeAllCursor : Qt::ArrowCursor);
    return false;
  }
  constexpr double kNearEdge = 1e-3;
  Triple p = probsAt(position);
  double sum = 0.0;
  for (double& share : p) {
    share = std::max(share, kNearEdge);
    sum += share;
  }
  for (double& share : p) {
    share /= sum;
  }
  Q_EMIT handleMoved(dragged_, p);
  return true;
}

bool SimplexPlot::mouseReleased(const QPointF& /*position*/) {
  if (dragged_ < 0) {
    return false;
  }
  dragged_ = -1;
  Q_EMIT handleReleased();
  return true;
}

void SimplexPlot::addCorners() {
  const QFont font = uiFont(TypeSize::kBody, true);
  const QFontMetrics metrics(font);
  const std::array places = {QPointF(-kSideRoom, -0.012), QPointF(1.0 + kSideRoom, -0.012),
                             QPointF(0.5, kHeight + 0.012)};
  const std::array<Qt::Alignment, 3> alignments = {Qt::AlignLeft | Qt::AlignTop,
                                                   Qt::AlignRight | Qt::AlignTop,
                                                   Qt::AlignHCenter | Qt::AlignBottom};
  for (std::size_t k = 0; k < places.size(); ++k) {
    auto* const text = new QCPItemText(&plot());
    text->setSelectable(false);
    text->position->setCoords(places[k]);
    text->setPositionAlignment(alignments[k]);
    text->setText(metrics.elidedText(value_.corners[k], Qt::ElideRight, kCornerNameWidth));
    text->setFont(font);
    text->setColor(currentTheme().text);
  }
}

void SimplexPlot::addScale() {
  constexpr int kWidth = 2 * kGrid;
  constexpr int kLength = 14 * kGrid;
  QImage scale(kWidth, kLength, QImage::Format_RGB32);
  for (int y = 0; y < kLength; ++y) {
    const QColor color = densityColor(1.0 - static_cast<double>(y) / (kLength - 1));
    for (int x = 0; x < kWidth; ++x) {
      scale.setPixelColor(x, y, color);
    }
  }
  auto* const bar = new QCPItemPixmap(&plot());
  bar->setPixmap(QPixmap::fromImage(scale));
  bar->setSelectable(false);
  bar->setClipToAxisRect(false);
  const int max_draws =
      showsCounts() ? static_cast<int>(*std::ranges::max_element(value_.counts.values())) : 0;
  const std::array texts = {
      showsCounts() ? countedText(max_draws, tr("%1 draw"), tr("%1 draws")) : tr("highest"),
      showsCounts() ? QStringLiteral("0") : QStringLiteral("≤ 1/1000")};
  // All items are anchored to the corner of the data area, in pixels.
  auto* const anchor = new QCPItemTracer(&plot());
  anchor->setVisible(false);
  anchor->position->setType(QCPItemPosition::ptAxisRectRatio);
  anchor->position->setCoords(1.0, 0.0);
  bar->topLeft->setParentAnchor(anchor->position);
  bar->topLeft->setType(QCPItemPosition::ptAbsolute);
  bar->topLeft->setCoords(-kWidth, 1.0);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    auto* const text = new QCPItemText(&plot());
    text->setSelectable(false);
    text->setClipToAxisRect(false);
    text->setFont(uiFont(TypeSize::kSmall));
    text->setColor(currentTheme().muted);
    text->setText(texts[i]);
    text->position->setParentAnchor(anchor->position);
    text->position->setType(QCPItemPosition::ptAbsolute);
    text->position->setCoords(-kWidth - kGrid, i == 0 ? 0.0 : kLength);
    text->setPositionAlignment(Qt::AlignRight | (i == 0 ? Qt::AlignTop : Qt::AlignBottom));
  }
}

void SimplexPlot::rebuild() {
  const Theme& theme = currentTheme();
  plot().clearPlottables();
  plot().clearItems();
  plot().legend->clearItems();
  plot().setBackground(theme.panel);
  plot().legend->setFont(uiFont(TypeSize::kSmall));
  plot().legend->setTextColor(theme.muted);
  if (!value_.mean) {
    replotSoon();
    return;
  }
  highest_ = -std::numeric_limits<double>::infinity();
  if (value_.density) {
    for (const double value : value_.density->log_density.values()) {
      highest_ = std::isnan(value) ? highest_ : std::max(highest_, value);
    }
  }
  if (showsCounts()) {
    new BoxImage(&plot(), countsImage(value_.counts));
  } else if (value_.density) {
    new BoxImage(&plot(), densityImage(value_.density->log_density, highest_, kDepth));
  } else {
    new BoxImage(&plot(), plainTriangle(theme.grid));
  }
  addMarks();
  if (value_.density) {
    addLines();
  }
  addOutline();
  addCorners();
  if (showsCounts() || value_.density) {
    addScale();
  }
  replotSoon();
}

void SimplexPlot::fitLegend(const QSize& room) {
  // At the upper left, where the triangle, in the middle, leaves most room: its edge has 60°.
  const QSize legend = plot().legend->minimumOuterSizeHint();
  const int name_height = QFontMetrics(uiFont(TypeSize::kSmall, true)).height();
  const double edge =
      0.5 * room.width() - std::max(0, legend.height() - name_height) / std::numbers::sqrt3;
  plot().legend->setVisible(isExporting() || legend.width() <= edge);
}

PlotTable SimplexPlot::table() const {
  PlotTable table;
  table.columns = {"what", "p_" + value_.corners[0], "p_" + value_.corners[1],
                   "p_" + value_.corners[2], "value"};
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const auto add = [&table](const QString& what, const Triple& p, const QVariant& value) {
    table.rows.push_back({what, p[0], p[1], p[2], value});
  };
  if (!value_.mean) {
    return table;
  }
  add(QStringLiteral("mean"), *value_.mean, kNone);
  if (value_.density && value_.density->mode) {
    add(QStringLiteral("mode"), *value_.density->mode, kNone);
  }
  if (value_.density) {
    for (const DensityLevel& level : value_.density->levels) {
      for (const Polyline& line : isoLines(value_.density->log_density, level.log_density)) {
        for (std::size_t i = 0; i < line.x.size(); ++i) {
          const double right = line.x[i] - 0.5 * line.y[i];
          add(QStringLiteral("line %1").arg(level.share),
              {1.0 - right - line.y[i], right, line.y[i]}, level.log_density);
        }
      }
    }
  }
  if (showsCounts()) {
    forEachTriangle(
        value_.counts, [&](std::int64_t i, std::int64_t j, bool inverted, std::int64_t count) {
          Triple middle{};
          for (const Triple& corner : cornersOf(i, j, inverted, value_.counts.extent(0))) {
            for (std::size_t k = 0; k < 3; ++k) {
              middle[k] += corner[k] / 3.0;
            }
          }
          add(QStringLiteral("count"), middle, static_cast<qlonglong>(count));
        });
    return table;
  }
  for (const Triple& draw : value_.draws) {
    add(QStringLiteral("draw"), draw, kNone);
  }
  if (value_.density) {
    const Array<double>& density = value_.density->log_density;
    const std::int64_t n = density.extent(0);
    for (std::int64_t r = 0; r < n; ++r) {
      for (std::int64_t c = 0; c < n; ++c) {
        const double value = density.row(r)[static_cast<std::size_t>(c)];
        if (!std::isnan(value)) {
          const double y = (static_cast<double>(r) + 0.5) / static_cast<double>(n);
          const double right = (static_cast<double>(c) + 0.5) / static_cast<double>(n) - 0.5 * y;
          add(QStringLiteral("ln density"), {1.0 - right - y, right, y}, value);
        }
      }
    }
  }
  return table;
}

QString SimplexPlot::hoverText(const QPointF& position) const {
  const Triple p = probsAt(position);
  if (!value_.mean || std::ranges::any_of(p, [](double share) { return share < 0.0; })) {
    return {};
  }
  QStringList shares;
  for (std::size_t k = 0; k < p.size(); ++k) {
    shares << QStringLiteral("%1 %2").arg(value_.corners[k], shortText(p[k]));
  }
  QString text = shares.join(QStringLiteral(" · "));
  if (value_.density) {
    const Array<double>& density = value_.density->log_density;
    const std::int64_t n = density.extent(0);
    const auto cell = [n](double share) {
      return std::clamp<std::int64_t>(static_cast<std::int64_t>(share * static_cast<double>(n)), 0,
                                      n - 1);
    };
    const double value = density.row(cell(p[2]))[static_cast<std::size_t>(cell(p[1] + 0.5 * p[2]))];
    if (!std::isnan(value)) {
      text += tr("\nln density %1 (uniform: 0.693)").arg(shortText(value));
    }
  }
  return text;
}

}  // namespace dubito
