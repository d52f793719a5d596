// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QImage>
#include <QRegion>
#include <QWidget>
#include <vector>

namespace dubito {

/// An image of a TileGrid.
struct Tile {
  qint64 key = 0;        ///< identifies the image in setPicture
  QString caption = {};  ///< what contradicts the others, below the image; may be empty
  QString tooltip = {};
  QString settled = {};  ///< why it is no longer open, shown over the image; empty: it is open
  bool starts_marked = false;  ///< whether it is marked when it comes onto the page
};

/// One page of images that a person sorts by marking some of them, with mouse or keyboard. Shows
/// only whole tiles, never scrolls, and knows which of them have been painted.
class TileGrid : public QWidget {
  Q_OBJECT
 public:
  explicit TileGrid(QWidget* parent = nullptr);

  /// Smallest side of an image in pixels; images are enlarged so that the columns fill the width,
  /// and up to twice this size on a page that is not full.
  void setTileSize(int side);
  /// Whether captions have room below the images.
  void setCaptioned(bool captioned);
  /// Number of tiles that fit.
  [[nodiscard]] int capacity() const;
  /// Replaces the tiles, at most capacity() of them. Those with a key that was shown before stay
  /// marked and painted.
  void setTiles(std::vector<Tile> tiles);
  [[nodiscard]] const std::vector<Tile>& tiles() const { return tiles_; }
  /// A text to show if there are no tiles.
  void setEmptyText(const QString& text);
  /// Delivers the picture of a tile; null: it cannot be read.
  void setPicture(qint64 key, const QImage& image);
  void clearPictures();

  [[nodiscard]] bool isLoading(int index) const;
  [[nodiscard]] bool isUnreadable(int index) const;
  [[nodiscard]] bool isMarked(int index) const { return marked(index); }
  /// Whether the whole tile with its picture has been painted, and is in view now.
  [[nodiscard]] bool isSeen(int index) const;
  /// The open tiles that are seen, those that are marked or those that are not.
  [[nodiscard]] std::vector<int> seenTiles(bool marked) const;
  /// Ignored unless the tile is open and its picture is shown.
  void setMarked(int index, bool marked);

  /// The tile that keys refer to; -1: none.
  [[nodiscard]] int cursor() const { return cursor_; }
  /// Moves the cursor by so many columns and rows, within the page.
  void moveCursor(int columns, int rows);
  void toggleAtCursor();

  /// In widget coordinates.
  [[nodiscard]] QRect tileRect(int index) const;
  /// -1: none.
  [[nodiscard]] int tileAt(const QPoint& point) const;

 Q_SIGNALS:
  void capacityChanged();
  void marksChanged();
  /// More tiles have been painted.
  void seenChanged();

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;

 private:
  /// What is known about the tiles, by position.
  struct Seen {
    bool marked = false;
    bool painted = false;
    QRegion missing = {};  ///< not painted yet, in widget coordinates
  };
  /// Columns of images of the size that was set.
  [[nodiscard]] int maxColumns() const;
  /// Fewer if the page is not full, so that its images are larger and still fit.
  [[nodiscard]] int columns() const;
  [[nodiscard]] int pictureSide(int columns) const;
  [[nodiscard]] int rowHeight(int columns) const;
  [[nodiscard]] QRect pictureRect(int index) const;
  [[nodiscard]] bool marked(int index) const {
    return seen_[static_cast<std::size_t>(index)].marked;
  }
  [[nodiscard]] bool isOpen(int index) const;
  void paintTile(QPainter& painter, int index);
  void layOut();
  /// Marks the tiles on the way of the mouse.
  void drag(const QPoint& from, const QPoint& to);

  std::vector<Tile> tiles_;
  std::vector<Seen> seen_;
  QHash<qint64, QImage> pictures_;
  QString empty_text_;
  int side_ = 96;
  int known_capacity_ = 0;
  bool captioned_ = false;
  int cursor_ = -1;
  bool drag_marks_ = false;
  QPoint dragged_to_;
};

}  // namespace dubito
