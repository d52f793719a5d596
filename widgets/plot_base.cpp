// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot_base.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QToolButton>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/export_note.h"
#include "widgets/figure_format.h"
#include "widgets/fitting_parts.h"
#include "widgets/plot_export_qcp.h"
#include "widgets/plot_parts_qcp.h"
#include "widgets/theme.h"
#include "widgets/theme_follower.h"
#include "widgets/wheel_guard.h"

namespace dubito {
namespace {

// Room for the outermost tick labels, which would be dropped if clipped.
constexpr QMargins kDataMargins(0, 2 * kGrid, 4 * kGrid, 0);

// Maximum ratio up to which a text may widen a plot with a limited aspect ratio.
constexpr double kMaxTextRatio = 1.6;

constexpr int kZoomMarkSide = 5 * kGrid;
// The mouse moves slightly while clicking.
constexpr double kClickDistance = 4.0;

bool sameRange(const QCPRange& range, double low, double high) {
  return range.lower == low && range.upper == high;
}

}  // namespace

PlotBase::PlotBase(QWidget* parent)
    : QWidget(parent), plot_(new QCustomPlot(this)), zoom_mark_(new QToolButton(this)) {
  plot_->setObjectName(QStringLiteral("plot"));
  plot_->installEventFilter(this);
  plot_->setAutoAddPlottableToLegend(false);
  plot_->plotLayout()->setMargins(QMargins(0, 0, 0, 0));
  plot_->axisRect()->setMinimumMargins(kDataMargins);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  ExportSource source;
  source.table = [this] { return table(); };
  source.picture = [this](const PictureRequest& request) { return encoded(request); };
  source.title = [this] { return title_; };
  exporter_ = new Exporter(std::move(source), this);
  connect(exporter_, &Exporter::failed, this, &PlotBase::failed);
  zoom_mark_->setObjectName(QStringLiteral("zoomMark"));
  zoom_mark_->setProperty("role", QStringLiteral("mark"));
  zoom_mark_->setText(QString(QChar(0x2922)));
  zoom_mark_->setAccessibleName(tr("Reset zoom"));
  zoom_mark_->setToolTip(tr("Zoomed in. Click here or double-click the plot to reset"));
  zoom_mark_->setFocusPolicy(Qt::TabFocus);
  zoom_mark_->setFixedSize(kZoomMarkSide, kZoomMarkSide);
  zoom_mark_->hide();
  connect(zoom_mark_, &QToolButton::clicked, this, &PlotBase::resetZoom);
  theme_follower_ = new ThemeFollower(*this, [this] { rebuild(); });
  connect(plot_, &QCustomPlot::afterReplot, this, [this] { is_stale_ = false; });
  // Queued: the inner plot ignores a resize during a replot.
  connect(plot_, &QCustomPlot::afterLayout, this, &PlotBase::fitPlot, Qt::QueuedConnection);
}

PlotBase::~PlotBase() = default;

void PlotBase::setCaption(const QString& title, const QString& subtitle, const QString& value) {
  title_ = title;
  value_text_ = value;
  subtitle_ = subtitle;
  setAccessibleName(title);
  setAccessibleDescription(subtitle);
}

void PlotBase::setFilePrompt(Exporter::FilePrompt question) {
  exporter_->setFilePrompt(std::move(question));
}

QSize PlotBase::sizeHint() const {
  return {280, 216};
}
QSize PlotBase::minimumSizeHint() const {
  return {140, 112};
}

void PlotBase::resetZoom() {
  for (const auto& [axis, range] : full_ranges_) {
    axis->setRange(range.first, range.second);
  }
  replotSoon();
}

bool PlotBase::isZoomed() const {
  return std::ranges::any_of(full_ranges_, [](const auto& entry) {
    const auto& [axis, full] = entry;
    // Zooming out again leaves rounding errors.
    const double slack = 1e-6 * std::abs(full.second - full.first);
    return std::abs(axis->range().lower - full.first) > slack ||
           std::abs(axis->range().upper - full.second) > slack;
  });
}

void PlotBase::showZoom() {
  if (!exporting_ && zoom_mark_->isHidden() == isZoomed()) {
    zoom_mark_->setVisible(isZoomed());
    zoom_mark_->raise();
  }
}

void PlotBase::addViewActions(QMenu& menu) {
  QAction* const reset = menu.addAction(tr("Reset zoom"), this, &PlotBase::resetZoom);
  reset->setObjectName(QStringLiteral("resetZoom"));
  reset->setEnabled(isZoomed());
}

void PlotBase::styleAxis(QCPAxis& axis, const QString& title, const QString& short_title) {
  const Theme& theme = currentTheme();
  const QFont font = uiFont(TypeSize::kSmall);
  const QPen line(theme.border, 1.0);
  plot_->setBackground(theme.panel);
  axis.setTickLabelFont(font);
  axis.setLabelFont(font);
  axis.setTickLabelColor(theme.muted);
  axis.setLabelColor(theme.muted);
  axis_titles_[&axis] = {title, short_title};
  axis.setBasePen(line);
  axis.setTickPen(line);
  axis.setTickLength(0, 3);
  axis.setSubTicks(false);
  axis.setTickLabelPadding(3);
  axis.setLabelPadding(2);
  axis.grid()->setPen(QPen(theme.grid, 1.0));
  axis.grid()->setZeroLinePen(Qt::NoPen);
  fitAxisTitles();
}

void PlotBase::setFullRange(QCPAxis& axis, double low, double high) {
  const auto known = full_ranges_.find(&axis);
  if (known != full_ranges_.end()) {
    if (known->second == std::pair(low, high)) {
      return;
    }
    known->second = {low, high};
    axis.setRange(low, high);
    showZoom();
    return;
  }
  full_ranges_[&axis] = {low, high};
  axis.setRange(low, high);
  QCPAxis* const bounded_axis = &axis;
  connect(bounded_axis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this,
          [this, bounded_axis](const QCPRange& range) {
            const auto [lowest, highest] = full_ranges_.at(bounded_axis);
            const QCPRange inside = range.bounded(lowest, highest);
            if (!sameRange(range, inside.lower, inside.upper)) {
              bounded_axis->setRange(inside);
            }
            showZoom();
          });
}

void PlotBase::enableZoom(QCPAxisRect& rect, const QList<QCPAxis*>& axes, bool drag) {
  setZoomsByWheel(*plot_);
  plot_->setInteraction(QCP::iRangeZoom, true);
  rect.setRangeZoomAxes(axes);
  rect.setRangeDragAxes(axes);
  setDragPans(drag);
}

void PlotBase::setDragPans(bool pans) {
  drag_pans_ = pans;
  plot_->setInteraction(QCP::iRangeDrag, pans);
}

void PlotBase::setAspectLimit(QCPAxisRect& rect, double ratio, int wanted_width) {
  aspect_rect_ = &rect;
  aspect_limit_ = ratio;
  wanted_width_ = wanted_width;
  fitPlot();
}

void PlotBase::replotSoon() {
  is_stale_ = true;
  plot_->update();
}

void PlotBase::replotLayer(const QString& name) {
  if (!is_stale_) {
    plot_->layer(name)->replot();
  }
}

void PlotBase::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitPlot();
}

void PlotBase::layOut() {
  plot_->setViewport(plot_->rect());
  for (const auto phase :
       {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout}) {
    plot_->plotLayout()->update(phase);
  }
  Q_EMIT plot_->afterLayout();
  replotSoon();
}

void PlotBase::fitPlot() {
  if (!exporting_) {
    fitInto(rect());
  }
}

void PlotBase::fitInto(const QRect& room) {
  QRect target = room;
  if (aspect_rect_ != nullptr && aspect_limit_ > 0.0 && aspect_rect_->width() > 0) {
    // Labels and fixed-height parts keep their size when the plot grows.
    const QSize fixed = plot_->size() - aspect_rect_->size();
    const int width = std::max(1, room.width() - fixed.width());
    const int height = std::max(1, room.height() - fixed.height());
    const auto times = [](int length, double ratio) {
      return static_cast<int>(std::lround(length * ratio));
    };
    const int square = times(height, aspect_limit_);
    const int limited_width =
        std::min(width, std::max(square, std::min(wanted_width_, times(height, kMaxTextRatio))));
    const int limited_height = std::min(height, times(width, aspect_limit_));
    target.setSize(QSize(limited_width, limited_height) + fixed);
    target.moveCenter(room.center());
  }
  // Painting needs a non-empty size. A squeezed panel may have none, and before the first layout
  // the data area may be larger than the plot.
  target.setSize(target.size().expandedTo({1, 1}));
  if (target != plot_->geometry()) {
    plot_->setGeometry(target);
  }
  fitLegend(target.size());
  // The corner below the y labels and left of the x labels is free.
  zoom_mark_->move(target.left(), target.bottom() - kZoomMarkSide + 1);
  fitAxisTitles();
  fitTicks();
}

void PlotBase::fitTicks() {
  bool changed = false;
  for (const auto& [axis, title] : axis_titles_) {
    if (const auto ticker = axis->ticker().dynamicCast<RoundTicker>()) {
      const Qt::Orientation orientation = QCPAxis::orientation(axis->axisType());
      const QCPAxisRect& rect = *axis->axisRect();
      const int length = orientation == Qt::Horizontal ? rect.width() : rect.height();
      changed |=
          ticker->fit(axis->range(), QFontMetrics(axis->tickLabelFont()), length, orientation);
    }
  }
  if (changed) {
    replotSoon();
  }
}

void PlotBase::fitAxisTitles() {
  bool changed = false;
  for (const auto& [axis, title] : axis_titles_) {
    const bool horizontal = QCPAxis::orientation(axis->axisType()) == Qt::Horizontal;
    // The title is centred on its axis and clipped at the nearer edge of the outer rect.
    const QPoint centre = axis->axisRect()->rect().center();
    const QRect whole = axis->axisRect()->outerRect();
    const int to_the_side = std::min(centre.x() - whole.left(), whole.right() - centre.x());
    const int above = std::min(centre.y() - whole.top(), whole.bottom() - centre.y());
    const bool laid_out = !whole.isEmpty();
    const int room = laid_out ? 2 * (horizontal ? to_the_side : above) - kGrid : QWIDGETSIZE_MAX;
    const QFontMetrics metrics(axis->labelFont());
    const bool shortens =
        !title.shortened.isEmpty() && metrics.horizontalAdvance(title.whole) > room;
    const QString shown = fittingParts(shortens ? title.shortened : title.whole, metrics, room);
    if (shown != axis->label()) {
      axis->setLabel(shown);
      changed = true;
    }
  }
  if (changed) {
    replotSoon();
  }
}

bool PlotBase::dispatchMouse(QEvent& event) {
  const auto* const mouse = dynamic_cast<QMouseEvent*>(&event);
  if (mouse == nullptr) {
    return false;
  }
  const bool left = mouse->button() == Qt::LeftButton;
  switch (event.type()) {
    case QEvent::MouseButtonPress:
      pressed_ = mouse->position();
      // The inner plot asks when it gets this event. What cannot be zoomed is not moved either.
      pans_ = left && mouse->modifiers().testFlag(Qt::ShiftModifier) &&
              plot_->interactions().testFlag(QCP::iRangeZoom);
      plot_->setInteraction(QCP::iRangeDrag, drag_pans_ || pans_);
      return left && !pans_ && mousePressed(mouse->position());
    case QEvent::MouseMove:
      return !pans_ && mouseMoved(mouse->position());
    case QEvent::MouseButtonRelease:
      if (std::exchange(pans_, false)) {
        return false;
      }
      if (left && mouseReleased(mouse->position())) {
        return true;
      }
      if (left && (mouse->position() - pressed_).manhattanLength() <= kClickDistance) {
        clicked(mouse->position());
      }
      return false;
    default:
      return false;
  }
}

bool PlotBase::eventFilter(QObject* watched, QEvent* event) {
  if (watched != plot_) {
    return QWidget::eventFilter(watched, event);
  }
  // QCustomPlot draws at every change of its size, of which a page that is shown has several, and
  // while it is hidden. So draw once, when it is painted.
  if (event->type() == QEvent::Resize) {
    layOut();
    return true;
  }
  if (event->type() == QEvent::Paint && is_stale_) {
    plot_->replot(QCustomPlot::rpQueuedRefresh);
  }
  // QCustomPlot does not propagate events to its parent, so handle this one here.
  if (event->type() == QEvent::ContextMenu) {
    contextMenuEvent(static_cast<QContextMenuEvent*>(event));
    return true;
  }
  if (dispatchMouse(*event)) {
    return true;
  }
  if (event->type() == QEvent::MouseButtonDblClick) {
    resetZoom();
    return true;
  }
  if (event->type() == QEvent::MouseMove) {
    const auto* mouse = static_cast<QMouseEvent*>(event);
    const QString text =
        mouse->buttons() == Qt::NoButton ? hoverText(mouse->position()) : QString();
    if (text.isEmpty()) {
      QToolTip::hideText();
    } else {
      QToolTip::showText(mouse->globalPosition().toPoint(), text, plot_);
    }
  }
  return QWidget::eventFilter(watched, event);
}

void PlotBase::contextMenuEvent(QContextMenuEvent* event) {
  exporter_->popUp(event->globalPos(), [this](QMenu& menu) { addViewActions(menu); });
}

QByteArray PlotBase::encoded(const PictureRequest& request) {
  theme_follower_->catchUp();
  QStringList head;
  for (const QString& part : {title_, value_text_}) {
    if (!part.isEmpty()) {
      head << part;
    }
  }
  const PlotCaption caption =
      captionFor(request, head.join(QStringLiteral(" · ")), subtitle_, exportNote(*this));
  const QRect before = plot_->geometry();
  // A picture is the same whether the window is presented or not.
  const bool redraws = !(themeOf(request.format) == currentTheme()) || lookScale() != 1.0;
  QByteArray bytes;
  exporting_ = true;
  plot_->setUpdatesEnabled(false);  // the window does not flash in the other theme
  {
    const ThemeScope scope(themeOf(request.format));
    const QSize room =
        request.has_size ? pictureRoom(request, caption, plot_->logicalDpiX()) : plot_->size();
    if (redraws) {
      rebuild();
    }
    exportingChanged();
    if (request.has_size || redraws || is_stale_) {
      layOutIn(QRect(QPoint(), room));
    }
    bytes = encodePlot(*plot_, room, request, caption);
  }
  if (redraws) {
    rebuild();
  }
  if (plot_->geometry() != before) {
    plot_->setGeometry(before);
    plot_->setViewport(QRect(QPoint(), before.size()));
  }
  exporting_ = false;
  plot_->setUpdatesEnabled(true);
  fitPlot();
  exportingChanged();
  showZoom();
  replotSoon();
  return bytes;
}

void PlotBase::layOutIn(const QRect& room) {
  // The layout depends on labels and legend and vice versa, so repeat until it settles.
  constexpr int kPasses = 3;
  for (int pass = 0; pass < kPasses; ++pass) {
    fitInto(room);
    // A hidden widget gets no resize event.
    plot_->setViewport(QRect(QPoint(), plot_->size()));
    plot_->replot(QCustomPlot::rpImmediateRefresh);
  }
}

QByteArray PlotBase::renderSvg(const QSize& size) {
  setAttribute(Qt::WA_DontShowOnScreen);
  resize(size);
  show();
  layOutIn(QRect(QPoint(), size));
  PictureRequest request{.suffix = QStringLiteral("svg")};
  request.format.has_title = false;
  request.format.is_dark = currentTheme().dark;
  exporting_ = true;
  QByteArray svg = encodePlot(*plot_, size, request, {{}, {}, exportNote(*this)});
  exporting_ = false;
  hide();
  return svg;
}

Status PlotBase::saveAs(const QString& path) {
  return exporter_->saveAs(path);
}

}  // namespace dubito
