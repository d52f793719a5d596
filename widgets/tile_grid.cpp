// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tile_grid.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <utility>

#include "widgets/image_view.h"
#include "widgets/theme.h"

namespace dubito {
namespace {

constexpr int kTileGap = 2 * kGrid;
constexpr int kTileFrame = 3;
/// More cannot be checked at a glance.
constexpr int kMaxTiles = 400;
/// Of the images of a page with few of them, compared with the size that was set.
constexpr int kMaxEnlargement = 2;
constexpr double kMarkedShare = 0.55;  ///< of a marked picture that still shows

int tileCaptionHeight() {
  return QFontMetrics(uiFont(TypeSize::kSmall)).height();
}

}  // namespace

TileGrid::TileGrid(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("tileGrid"));
  setAccessibleName(tr("images"));
  setMinimumSize(side_, side_);
  connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] { update(); });
}

void TileGrid::setTileSize(int side) {
  side_ = std::max(24, side);
  layOut();
}

void TileGrid::setCaptioned(bool captioned) {
  captioned_ = captioned;
  layOut();
}

int TileGrid::maxColumns() const {
  return std::max(1, (width() + kTileGap) / (side_ + kTileGap));
}

int TileGrid::columns() const {
  const int count = static_cast<int>(tiles_.size());
  const bool is_full = count == 0 || count >= capacity();
  for (int columns = 1; !is_full && columns < maxColumns(); ++columns) {
    const int rows = (count + columns - 1) / columns;
    if (pictureSide(columns) <= kMaxEnlargement * side_ &&
        rows * rowHeight(columns) - kTileGap <= height()) {
      return columns;
    }
  }
  return maxColumns();
}

int TileGrid::pictureSide(int columns) const {
  return std::max(16, (width() + kTileGap) / columns - kTileGap);
}

int TileGrid::rowHeight(int columns) const {
  return pictureSide(columns) + (captioned_ ? tileCaptionHeight() : 0) + kTileGap;
}

int TileGrid::capacity() const {
  const int rows = std::max(1, (height() + kTileGap) / rowHeight(maxColumns()));
  return std::min(kMaxTiles, maxColumns() * rows);
}

QRect TileGrid::tileRect(int index) const {
  const int per_row = columns();
  // The columns share the full width, so that both edges align with the panel.
  const int left = index % per_row * (width() + kTileGap) / per_row;
  const int height = rowHeight(per_row);
  return {left, index / per_row * height, pictureSide(per_row), height - kTileGap};
}

QRect TileGrid::pictureRect(int index) const {
  const QRect tile = tileRect(index);
  return {tile.left(), tile.top(), tile.width(), tile.width()};
}

int TileGrid::tileAt(const QPoint& point) const {
  for (int index = 0; index < static_cast<int>(tiles_.size()); ++index) {
    if (tileRect(index).contains(point)) {
      return index;
    }
  }
  return -1;
}

void TileGrid::layOut() {
  for (int index = 0; index < static_cast<int>(tiles_.size()); ++index) {
    seen_[static_cast<std::size_t>(index)].missing = tileRect(index);
  }
  update();
  if (const int now = capacity(); now != known_capacity_) {
    known_capacity_ = now;
    Q_EMIT capacityChanged();
  }
}

void TileGrid::setTiles(std::vector<Tile> tiles) {
  QHash<qint64, Seen> before;
  for (std::size_t i = 0; i < tiles_.size(); ++i) {
    before.insert(tiles_[i].key, seen_[i]);
  }
  const qint64 at_cursor = cursor_ < 0 ? -1 : tiles_[static_cast<std::size_t>(cursor_)].key;
  tiles_ = std::move(tiles);
  seen_.clear();
  cursor_ = -1;
  QHash<qint64, QImage> kept;
  for (std::size_t i = 0; i < tiles_.size(); ++i) {
    const Tile& tile = tiles_[i];
    Seen seen = before.value(tile.key);
    const bool is_new = !before.contains(tile.key);
    seen.marked = (is_new ? tile.starts_marked : seen.marked) && tile.settled.isEmpty();
    seen.missing = tileRect(static_cast<int>(i));
    seen_.push_back(seen);
    if (tile.key == at_cursor) {
      cursor_ = static_cast<int>(i);
    }
    if (const auto found = pictures_.constFind(tile.key); found != pictures_.constEnd()) {
      kept.insert(tile.key, *found);
    }
  }
  pictures_ = std::move(kept);
  update();
}

void TileGrid::setEmptyText(const QString& text) {
  empty_text_ = text;
  update();
}

void TileGrid::setPicture(qint64 key, const QImage& image) {
  for (int index = 0; index < static_cast<int>(tiles_.size()); ++index) {
    if (tiles_[static_cast<std::size_t>(index)].key == key) {
      pictures_.insert(key, image);
      seen_[static_cast<std::size_t>(index)].missing = tileRect(index);
      update(tileRect(index));
    }
  }
}

void TileGrid::clearPictures() {
  pictures_.clear();
  for (Seen& seen : seen_) {
    seen.painted = false;
  }
  layOut();
}

bool TileGrid::isLoading(int index) const {
  return !pictures_.contains(tiles_[static_cast<std::size_t>(index)].key);
}

bool TileGrid::isUnreadable(int index) const {
  const auto found = pictures_.constFind(tiles_[static_cast<std::size_t>(index)].key);
  return found != pictures_.constEnd() && found->isNull();
}

bool TileGrid::isOpen(int index) const {
  return tiles_[static_cast<std::size_t>(index)].settled.isEmpty() && !isLoading(index) &&
         !isUnreadable(index);
}

bool TileGrid::isSeen(int index) const {
  return seen_[static_cast<std::size_t>(index)].painted && !isLoading(index) &&
         !isUnreadable(index) && QRegion(tileRect(index)).subtracted(visibleRegion()).isEmpty();
}

std::vector<int> TileGrid::seenTiles(bool marked) const {
  std::vector<int> found;
  for (int index = 0; index < static_cast<int>(tiles_.size()); ++index) {
    if (isOpen(index) && isSeen(index) && this->marked(index) == marked) {
      found.push_back(index);
    }
  }
  return found;
}

void TileGrid::setMarked(int index, bool marked) {
  Seen& seen = seen_[static_cast<std::size_t>(index)];
  if (!isOpen(index) || seen.marked == marked) {
    return;
  }
  seen.marked = marked;
  update(tileRect(index).adjusted(-kTileFrame, -kTileFrame, kTileFrame, kTileFrame));
  Q_EMIT marksChanged();
}

void TileGrid::moveCursor(int columns, int rows) {
  if (tiles_.empty()) {
    return;
  }
  const int target = cursor_ < 0 ? 0 : cursor_ + columns + rows * this->columns();
  if (target >= 0 && target < static_cast<int>(tiles_.size())) {
    cursor_ = target;
    update();
  }
}

void TileGrid::toggleAtCursor() {
  if (cursor_ >= 0) {
    setMarked(cursor_, !marked(cursor_));
  }
}

void TileGrid::drag(const QPoint& from, const QPoint& to) {
  // A fast mouse skips pixels, but no tile.
  const int steps = 1 + 2 * (to - from).manhattanLength() / std::max(1, pictureSide(columns()));
  for (int step = 0; step <= steps; ++step) {
    if (const int index = tileAt(from + (to - from) * step / steps); index >= 0) {
      setMarked(index, drag_marks_);
    }
  }
}

void TileGrid::mousePressEvent(QMouseEvent* event) {
  const QPoint point = event->position().toPoint();
  const int index = tileAt(point);
  if (event->button() != Qt::LeftButton || index < 0) {
    return;
  }
  cursor_ = index;
  update();
  drag_marks_ = !marked(index);
  dragged_to_ = point;
  drag(point, point);
}

void TileGrid::mouseMoveEvent(QMouseEvent* event) {
  if ((event->buttons() & Qt::LeftButton) != 0) {
    const QPoint point = event->position().toPoint();
    drag(std::exchange(dragged_to_, point), point);
  }
}

void TileGrid::mouseReleaseEvent(QMouseEvent* event) {
  event->accept();  // belongs to the press
}

void TileGrid::mouseDoubleClickEvent(QMouseEvent* event) {
  mousePressEvent(event);
}

bool TileGrid::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* const help = static_cast<QHelpEvent*>(event);
    const int index = tileAt(help->pos());
    QToolTip::showText(help->globalPos(),
                       index < 0 ? QString() : tiles_[static_cast<std::size_t>(index)].tooltip,
                       this, index < 0 ? QRect() : tileRect(index));
    return true;
  }
  return QWidget::event(event);
}

void TileGrid::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  layOut();
}

void TileGrid::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  if (tiles_.empty()) {
    painter.setPen(currentTheme().muted);
    painter.setFont(uiFont(TypeSize::kTitle));
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, empty_text_);
    return;
  }
  bool more_seen = false;
  for (int index = 0; index < static_cast<int>(tiles_.size()); ++index) {
    const QRect tile = tileRect(index);
    if (tile.adjusted(-kTileFrame, -kTileFrame, kTileFrame, kTileFrame).intersects(event->rect())) {
      paintTile(painter, index);
      Seen& seen = seen_[static_cast<std::size_t>(index)];
      seen.missing -= event->region();
      if (!seen.painted && seen.missing.isEmpty() && !isLoading(index)) {
        seen.painted = true;
        more_seen = true;
      }
    }
  }
  if (more_seen) {
    QMetaObject::invokeMethod(this, &TileGrid::seenChanged, Qt::QueuedConnection);
  }
}

void TileGrid::paintTile(QPainter& painter, int index) {
  const Theme& theme = currentTheme();
  const Tile& tile = tiles_[static_cast<std::size_t>(index)];
  const QRect picture = pictureRect(index);
  const bool is_marked = marked(index);
  const QString overlay = !tile.settled.isEmpty() ? tile.settled
                          : isUnreadable(index)   ? tr("cannot be read")
                                                  : QString();
  painter.fillRect(picture, theme.window);
  if (!isLoading(index) && !isUnreadable(index)) {
    painter.setOpacity(is_marked || !overlay.isEmpty() ? kMarkedShare : 1.0);
    paintImage(painter, picture, pictures_[tile.key]);
    painter.setOpacity(1.0);
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(theme.border);
  painter.drawRect(QRectF(picture).adjusted(0.5, 0.5, -0.5, -0.5));  // covers the edge at any scale
  if (is_marked) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.misclassified, kTileFrame));
    painter.drawRect(QRectF(picture).adjusted(1.5, 1.5, -1.5, -1.5));
    const int arm = picture.width() / 4;
    const QRect cross = QRect(0, 0, arm, arm).translated(picture.center() - QPoint(arm, arm) / 2);
    painter.setPen(QPen(theme.misclassified, 2 * kTileFrame, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(cross.topLeft(), cross.bottomRight());
    painter.drawLine(cross.topRight(), cross.bottomLeft());
    painter.restore();
  }
  if (!overlay.isEmpty()) {
    painter.setPen(theme.text);
    painter.setFont(uiFont(TypeSize::kSmall, true));
    painter.drawText(picture.adjusted(kGrid, kGrid, -kGrid, -kGrid),
                     Qt::AlignCenter | Qt::TextWordWrap, overlay);
  }
  if (index == cursor_) {
    painter.setPen(QPen(theme.accent, kTileFrame, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(picture.adjusted(-2, -2, 1, 1));
  }
  if (captioned_ && !tile.caption.isEmpty()) {
    const QFont font = uiFont(TypeSize::kSmall);
    painter.setFont(font);
    painter.setPen(theme.misclassified);
    const QRect caption(picture.left(), picture.bottom() + 2, picture.width(), tileCaptionHeight());
    painter.drawText(caption, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(font).elidedText(tile.caption, Qt::ElideRight, caption.width()));
  }
}

}  // namespace dubito
