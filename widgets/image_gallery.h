// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <QCache>
#include <QImage>
#include <QTimer>
#include <QVector>
#include <functional>

#include "widgets/exporter.h"
#include "widgets/item_view_values.h"

namespace dubito {

/// A scrollable grid of images. Only visible items are created, so the number of items does not
/// affect speed or memory.
class ImageGallery : public QAbstractScrollArea {
  Q_OBJECT
 public:
  /// Returns the item at `position` in [0, count). Called while painting, so it must be fast.
  using Provider = std::function<GalleryItem(qint64 position)>;

  explicit ImageGallery(QWidget* parent = nullptr);

  /// Replaces the items. Thumbnails delivered earlier are kept and assigned by key. The primary
  /// item is reset unless the item at its position still has the same key.
  void setItems(qint64 count, Provider provider);
  void setItems(std::vector<GalleryItem> items);
  [[nodiscard]] qint64 count() const { return count_; }
  /// `position` in [0, count()).
  [[nodiscard]] GalleryItem item(qint64 position) const { return provider_(position); }

  /// Delivers the thumbnail of the item with this key; null: not available. Can be called in any
  /// order and without a request.
  void setThumbnail(qint64 key, const QImage& image);
  /// Drops all thumbnails, for example after a change of dataset or preprocessing.
  void clearThumbnails();
  [[nodiscard]] bool hasThumbnail(qint64 key) const { return thumbnails_.contains(key); }
  /// Limits the memory for thumbnails; the least recently used are dropped first. Default: 64 MiB.
  void setCacheLimit(qint64 bytes);

  /// Minimum side length of an image in pixels. Images are enlarged so that the columns fill the
  /// width. Default: 56.
  void setThumbnailSize(int side);

  /// Frames the item at `position` and scrolls to it, without emitting a signal; -1: none.
  void setPrimary(qint64 position);
  [[nodiscard]] qint64 primary() const { return primary_; }

  /// Sets a text to show if there are no items.
  void setEmptyText(const QString& text);

  [[nodiscard]] int columns() const;
  /// Rectangle of item `position` in viewport coordinates; may lie outside the viewport.
  [[nodiscard]] QRect itemRect(qint64 position) const;
  /// Position of the item at a viewport point; -1: none.
  [[nodiscard]] qint64 itemAt(const QPoint& point) const;

  /// The visible items, one per row.
  [[nodiscard]] PlotTable table() const;
  /// Saves and copies the visible items.
  [[nodiscard]] Exporter& exporter() { return *exporter_; }

 Q_SIGNALS:
  /// Requests the thumbnails of visible items that have none. Emitted at once for a single step;
  /// while more follow, when scrolling has paused for 50 ms. Keys requested earlier but not
  /// delivered are requested again.
  void thumbnailsNeeded(const QVector<qint64>& keys);
  /// The user chose another primary item by mouse or keyboard.
  void primaryChanged(qint64 position);
  /// An item was double-clicked, or Enter was pressed on it.
  void activated(qint64 position);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;
  bool viewportEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  [[nodiscard]] int pictureSide() const;
  [[nodiscard]] int rowHeight() const;
  void measureCaptions();
  [[nodiscard]] int rowsPerPage() const;
  [[nodiscard]] std::pair<qint64, qint64> visibleItems() const;
  void paintItem(QPainter& painter, qint64 position);
  [[nodiscard]] QByteArray renderView(PictureRequest request);
  void updateScrollBar();
  void scrollTo(qint64 position);
  void choose(qint64 position);
  /// Requests thumbnails after what the visible items depend on has changed.
  void requestSoon();
  void requestThumbnails();

  qint64 count_ = 0;
  Provider provider_;
  qint64 primary_ = -1;
  int side_ = 56;
  int caption_width_ = 0;
  QString empty_text_;
  QCache<qint64, QImage> thumbnails_;
  QTimer pause_;               ///< runs for 50 ms after a change of the visible items
  bool has_moved_on_ = false;  ///< they changed again since the last request
  Exporter* exporter_;
};

}  // namespace dubito
