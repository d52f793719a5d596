// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/image_gallery.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <limits>
#include <memory>

#include "widgets/export_note.h"
#include "widgets/image_view.h"
#include "widgets/plot_export_qcp.h"
#include "widgets/qcustomplot_wrapper.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kGap = 2 * kGrid;
constexpr int kFrame = 3;
constexpr int kPauseMs = 50;
constexpr qint64 kDefaultCacheBytes = 64LL << 20;
constexpr int kCostUnit = 1024;

/// Caption text after the predicted label; empty for a correct prediction.
QString truthText(const GalleryItem& item) {
  if (item.ood) {
    return ImageGallery::tr(" OOD");
  }
  if (item.label_true.isEmpty() || (!item.wrong && item.label_true == item.label_predicted)) {
    return {};
  }
  return item.label_predicted.isEmpty() ? item.label_true
                                        : ImageGallery::tr(" ≠ %1").arg(item.label_true);
}

int captionHeight() {
  return QFontMetrics(uiFont(TypeSize::kSmall)).height() + kGrid / 2;
}

}  // namespace

ImageGallery::ImageGallery(QWidget* parent)
    : QAbstractScrollArea(parent), empty_text_(tr("No images to show")) {
  setObjectName(QStringLiteral("imageGallery"));
  setAccessibleName(tr("images"));
  setFocusPolicy(Qt::StrongFocus);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setObjectName(QStringLiteral("imageGalleryViewport"));
  setCacheLimit(kDefaultCacheBytes);
  pause_.setSingleShot(true);
  pause_.setInterval(kPauseMs);
  connect(&pause_, &QTimer::timeout, this, [this] {
    if (has_moved_on_) {
      requestThumbnails();
    }
  });
  exporter_ = new Exporter(
      {.table = [this] { return table(); },
       .picture = [this](const PictureRequest& request) { return renderView(request); },
       .title = [this] { return accessibleName(); },
       .as_document = true},
      this);
  connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] {
    updateScrollBar();
    viewport()->update();
  });
}

void ImageGallery::setItems(qint64 count, Provider provider) {
  const bool had_primary = primary_ >= 0 && primary_ < count_;
  const std::int64_t old_key = had_primary ? provider_(primary_).key : 0;
  count_ = provider ? std::max<qint64>(count, 0) : 0;
  provider_ = std::move(provider);
  if (!had_primary || primary_ >= count_ || provider_(primary_).key != old_key) {
    primary_ = -1;
  }
  measureCaptions();
  updateScrollBar();
  requestSoon();
  viewport()->update();
}

void ImageGallery::setItems(std::vector<GalleryItem> items) {
  auto shared = std::make_shared<const std::vector<GalleryItem>>(std::move(items));
  const auto count = static_cast<qint64>(shared->size());
  setItems(count,
           [shared](qint64 position) { return (*shared)[static_cast<std::size_t>(position)]; });
}

void ImageGallery::setThumbnail(qint64 key, const QImage& image) {
  const qint64 cost = std::max<qint64>(1, image.sizeInBytes() / kCostUnit);
  thumbnails_.insert(key, new QImage(image), cost);
  viewport()->update();
}

void ImageGallery::clearThumbnails() {
  thumbnails_.clear();
  requestSoon();
  viewport()->update();
}

void ImageGallery::setCacheLimit(qint64 bytes) {
  thumbnails_.setMaxCost(std::max<qint64>(1, bytes / kCostUnit));
}

void ImageGallery::setThumbnailSize(int side) {
  side_ = std::max(16, side);
  measureCaptions();
  updateScrollBar();
  if (primary_ >= 0) {
    scrollTo(primary_);
  }
  requestSoon();
  viewport()->update();
}

void ImageGallery::setPrimary(qint64 position) {
  primary_ = position >= 0 && position < count_ ? position : -1;
  if (primary_ >= 0) {
    scrollTo(primary_);
  }
  viewport()->update();
}

void ImageGallery::setEmptyText(const QString& text) {
  empty_text_ = text;
  viewport()->update();
}

void ImageGallery::measureCaptions() {
  // One sample sets the caption width, so that scrolling never changes the columns; captions longer
  // than twice the image are elided.
  constexpr qint64 kSample = 200;
  const QFontMetrics plain(uiFont(TypeSize::kSmall));
  const QFontMetrics bold(uiFont(TypeSize::kSmall, true));
  caption_width_ = 0;
  for (qint64 position = 0; position < std::min(count_, kSample); ++position) {
    const GalleryItem item = provider_(position);
    caption_width_ =
        std::max(caption_width_, bold.horizontalAdvance(item.label_predicted) +
                                     plain.horizontalAdvance(truthText(item) + item.measure) +
                                     2 * kGrid + (item.swatch.isValid() ? 3 * kGrid : 0));
  }
  caption_width_ = std::min(caption_width_, 2 * side_);
}

int ImageGallery::columns() const {
  return std::max(1, (viewport()->width() + kGap) / (std::max(side_, caption_width_) + kGap));
}

int ImageGallery::pictureSide() const {
  return std::max(16, (viewport()->width() + kGap) / columns() - kGap);
}

int ImageGallery::rowHeight() const {
  return pictureSide() + captionHeight() + kGap;
}

int ImageGallery::rowsPerPage() const {
  return std::max(1, viewport()->height() / rowHeight());
}

QRect ImageGallery::itemRect(qint64 position) const {
  const int per_row = columns();
  // The columns share the full width, so that both edges align with the panel.
  const auto column = static_cast<int>(position % per_row);
  const int left = column * (viewport()->width() + kGap) / per_row;
  const qint64 top = position / per_row * rowHeight() - verticalScrollBar()->value();
  constexpr qint64 kFar = std::numeric_limits<int>::max() / 4;
  return {left, static_cast<int>(std::clamp(top, -kFar, kFar)), pictureSide(), rowHeight() - kGap};
}

qint64 ImageGallery::itemAt(const QPoint& point) const {
  const auto [first, last] = visibleItems();
  for (qint64 position = first; position < last; ++position) {
    if (itemRect(position).contains(point)) {
      return position;
    }
  }
  return -1;
}

std::pair<qint64, qint64> ImageGallery::visibleItems() const {
  const qint64 height = rowHeight();
  const qint64 top = verticalScrollBar()->value();
  const qint64 per_row = columns();
  const qint64 first = top / height * per_row;
  const qint64 last = ((top + viewport()->height() - 1) / height + 1) * per_row;
  return {std::min(first, count_), std::min(last, count_)};
}

void ImageGallery::updateScrollBar() {
  const qint64 rows = (count_ + columns() - 1) / columns();
  const qint64 height = rows * rowHeight() - (rows > 0 ? kGap : 0);
  constexpr qint64 kLimit = std::numeric_limits<int>::max() / 2;
  const auto range = std::clamp<qint64>(height - viewport()->height(), 0, kLimit);
  verticalScrollBar()->setRange(0, static_cast<int>(range));
  verticalScrollBar()->setSingleStep(rowHeight() / 2);
  verticalScrollBar()->setPageStep(viewport()->height());
}

void ImageGallery::scrollTo(qint64 position) {
  const QRect rect = itemRect(position);
  const int value = verticalScrollBar()->value();
  if (rect.top() < 0) {
    verticalScrollBar()->setValue(value + rect.top());
  } else if (rect.bottom() >= viewport()->height()) {
    verticalScrollBar()->setValue(value + rect.bottom() - viewport()->height() + 1);
  }
}

void ImageGallery::choose(qint64 position) {
  position = std::clamp<qint64>(position, 0, count_ - 1);
  if (position == primary_) {
    return;
  }
  setPrimary(position);
  Q_EMIT primaryChanged(position);
}

void ImageGallery::requestSoon() {
  if (!isVisible()) {
    return;  // showing it requests them
  }
  if (pause_.isActive()) {
    has_moved_on_ = true;
  } else {
    // Queued: a step may change several things at once.
    QMetaObject::invokeMethod(this, &ImageGallery::requestThumbnails, Qt::QueuedConnection);
  }
  pause_.start();
}

void ImageGallery::requestThumbnails() {
  has_moved_on_ = false;
  if (!isVisible()) {
    return;
  }
  const auto [first, last] = visibleItems();
  QVector<qint64> keys;
  for (qint64 position = first; position < last; ++position) {
    const qint64 key = provider_(position).key;
    if (!thumbnails_.contains(key)) {
      keys.push_back(key);
    }
  }
  if (!keys.isEmpty()) {
    Q_EMIT thumbnailsNeeded(keys);
  }
}

void ImageGallery::paintEvent(QPaintEvent* event) {
  const Theme& theme = currentTheme();
  QPainter painter(viewport());
  painter.fillRect(event->rect(), theme.panel);
  if (count_ == 0) {
    painter.setPen(theme.muted);
    painter.setFont(uiFont(TypeSize::kBody));
    painter.drawText(viewport()->rect(), Qt::AlignCenter | Qt::TextWordWrap, empty_text_);
    return;
  }
  const auto [first, last] = visibleItems();
  for (qint64 position = first; position < last; ++position) {
    if (itemRect(position).adjusted(-kFrame, -kFrame, kFrame, kFrame).intersects(event->rect())) {
      paintItem(painter, position);
    }
  }
}

void ImageGallery::paintItem(QPainter& painter, qint64 position) {
  const Theme& theme = currentTheme();
  const GalleryItem item = provider_(position);
  const QRect cell = itemRect(position);
  const QRect picture(cell.left(), cell.top(), cell.width(), cell.width());
  const QImage* image = thumbnails_.object(item.key);
  if (image != nullptr && !image->isNull()) {
    paintImage(painter, picture, *image);
  } else {
    painter.fillRect(picture, theme.window);
    if (image != nullptr) {
      painter.setPen(theme.muted);
      painter.setFont(uiFont(TypeSize::kSmall));
      painter.drawText(picture, Qt::AlignCenter, QStringLiteral("?"));
    }
  }
  painter.setBrush(Qt::NoBrush);
  if (position == primary_) {
    QPen pen(theme.accent, kFrame);
    pen.setJoinStyle(Qt::MiterJoin);
    painter.setPen(pen);
    painter.drawRect(picture.adjusted(1, 1, -2, -2));
  } else {
    painter.setPen(theme.border);
    painter.drawRect(picture.adjusted(0, 0, -1, -1));
  }

  // Predicted label (bold, in the colour of its group unless correct), true label or "OOD", and the
  // measure at the right.
  const QFont plain = uiFont(TypeSize::kSmall);
  const QFont bold = uiFont(TypeSize::kSmall, true);
  const QFontMetrics plain_metrics(plain);
  const QFontMetrics bold_metrics(bold);
  QRect caption(cell.left(), picture.bottom() + kGrid / 2, cell.width(), captionHeight());
  if (item.swatch.isValid()) {
    const QRect swatch(caption.left(), caption.center().y() - kGrid, 2 * kGrid, 2 * kGrid);
    painter.fillRect(swatch, item.swatch);
    caption.setLeft(swatch.right() + kGrid);
  }
  const int measure_width = plain_metrics.horizontalAdvance(item.measure);
  const int room = caption.width() - measure_width - kGrid;
  QString truth = truthText(item);
  QString predicted = item.label_predicted;
  if (bold_metrics.horizontalAdvance(predicted) + plain_metrics.horizontalAdvance(truth) > room) {
    predicted =
        bold_metrics.elidedText(predicted, Qt::ElideRight, truth.isEmpty() ? room : room / 2);
    truth = plain_metrics.elidedText(truth, Qt::ElideRight,
                                     room - bold_metrics.horizontalAdvance(predicted));
  }
  const int predicted_width = bold_metrics.horizontalAdvance(predicted);
  painter.setFont(bold);
  painter.setPen(item.ood ? theme.ood : item.wrong ? theme.misclassified : theme.text);
  painter.drawText(caption, Qt::AlignLeft | Qt::AlignVCenter, predicted);
  painter.setFont(plain);
  painter.setPen(item.ood ? theme.ood : theme.text);
  painter.drawText(caption.adjusted(predicted_width, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                   truth);
  painter.setPen(theme.muted);
  painter.drawText(caption, Qt::AlignRight | Qt::AlignVCenter, item.measure);
}

PlotTable ImageGallery::table() const {
  PlotTable table;
  table.columns = {"item", "predicted", "true", "out_of_distribution", "value"};
  const auto [first, last] = visibleItems();
  for (qint64 position = first; position < last; ++position) {
    const GalleryItem item = provider_(position);
    table.rows.push_back(
        {item.name, item.label_predicted, item.label_true, item.ood ? 1 : 0, item.measure});
  }
  return table;
}

QByteArray ImageGallery::renderView(PictureRequest request) {
  const auto [first, last] = visibleItems();
  if (first >= last) {
    return {};
  }
  // Rows that are cut off at the edge of the view are exported in full.
  const int top = itemRect(first).top();
  const QSize size(viewport()->width(), itemRect(last - 1).bottom() - top + 1);
  const auto paint = [this, top, first = first, last = last](QPainter& painter) {
    painter.translate(0, -top);
    for (qint64 position = first; position < last; ++position) {
      paintItem(painter, position);
    }
  };
  const ThemeScope scope(themeOf(request.format));
  request.has_size = false;  // images keep their size
  return encodePicture({size, logicalDpiX(), paint}, request,
                       captionFor(request, accessibleName(), {}, exportNote(*this)));
}

void ImageGallery::contextMenuEvent(QContextMenuEvent* event) {
  if (count_ > 0) {
    exporter_->popUp(event->globalPos());
  }
}

void ImageGallery::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  updateScrollBar();
  if (primary_ >= 0) {
    scrollTo(primary_);
  }
  requestSoon();
}

void ImageGallery::scrollContentsBy(int /*dx*/, int /*dy*/) {
  requestSoon();
  viewport()->update();
}

bool ImageGallery::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Show) {
    requestSoon();
  } else if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const qint64 position = itemAt(help->pos());
    if (position >= 0) {
      QToolTip::showText(help->globalPos(), provider_(position).tooltip, viewport(),
                         itemRect(position));
    } else {
      QToolTip::hideText();
    }
    return true;
  }
  return QAbstractScrollArea::viewportEvent(event);
}

void ImageGallery::mousePressEvent(QMouseEvent* event) {
  const qint64 position = itemAt(event->position().toPoint());
  if (event->button() == Qt::LeftButton && position >= 0) {
    choose(position);
  }
}

void ImageGallery::mouseReleaseEvent(QMouseEvent* event) {
  event->accept();  // belongs to the press; must not reach the widgets below
}

void ImageGallery::mouseDoubleClickEvent(QMouseEvent* event) {
  const qint64 position = itemAt(event->position().toPoint());
  if (event->button() == Qt::LeftButton && position >= 0) {
    choose(position);
    Q_EMIT activated(position);
  }
}

void ImageGallery::keyPressEvent(QKeyEvent* event) {
  if (count_ == 0) {
    QAbstractScrollArea::keyPressEvent(event);
    return;
  }
  const qint64 per_row = columns();
  const qint64 page = per_row * rowsPerPage();
  const qint64 from = primary_;
  const auto step = [&](qint64 by) { choose(from < 0 ? 0 : from + by); };
  switch (event->key()) {
    case Qt::Key_Left:
      return step(-1);
    case Qt::Key_Right:
      return step(1);
    case Qt::Key_Up:
      return step(from >= per_row ? -per_row : 0);
    case Qt::Key_Down:
      return step(from + per_row < count_ ? per_row : 0);
    case Qt::Key_PageUp:
      return step(-page);
    case Qt::Key_PageDown:
      return step(page);
    case Qt::Key_Home:
      return choose(0);
    case Qt::Key_End:
      return choose(count_ - 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (from >= 0) {
        Q_EMIT activated(from);
      }
      return;
    default:
      QAbstractScrollArea::keyPressEvent(event);
  }
}

}  // namespace dubito
