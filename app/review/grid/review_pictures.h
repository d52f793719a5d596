// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCache>
#include <QHash>
#include <QImage>
#include <QObject>
#include <cstdint>
#include <memory>
#include <vector>

#include "app/pictures/thumbnail_loader.h"

namespace dubito {

class Reviewer;
class ZoomView;

/// Shows the picture of the item under review in a view, and loads those of the next items
/// meanwhile. Photographs come with as many pixels as the view needs, and with all of them once
/// they are enlarged beyond.
class ReviewPictures : public QObject {
  Q_OBJECT
 public:
  /// Both must outlive this.
  ReviewPictures(Reviewer& reviewer, ZoomView& view, QObject* parent = nullptr);

  /// Shows the picture of the item under review, of which there must be one, now or when it is
  /// loaded. Requests for items that are not needed any more are dropped.
  void showItem();
  /// Shows the pictures as stored, or as the network sees them.
  void setPicture(Picture picture);
  /// Whether the view shows the item under review, or that it cannot be read.
  [[nodiscard]] bool isShown() const;
  /// Requests every pixel if the view shows more than the picture has.
  void sharpen();
  /// Asks for small pictures of items of the past; emits smallLoaded() for each.
  void loadSmall(const QVector<qint64>& keys);
  [[nodiscard]] bool busy() const;

 Q_SIGNALS:
  /// The view shows the item under review.
  void shown(bool readable);
  void smallLoaded(qint64 key, const QImage& image);

 private:
  struct Held {
    QImage image;
    bool reduced;  ///< may have fewer pixels than stored
  };
  /// Longest side that the view can show, in pixels.
  [[nodiscard]] int neededSide() const;
  /// Chooses anew where pictures come from if the review or the size of the view changed.
  void updateSource();
  /// The item shown, then those that follow.
  [[nodiscard]] std::vector<std::int64_t> wantedRows() const;
  void take(qint64 key, const QImage& image);
  void show(const QImage& image);

  Reviewer& reviewer_;
  ZoomView& view_;
  ThumbnailLoader loader_;          ///< of the pictures as stored
  ThumbnailLoader network_loader_;  ///< as the network sees them
  ThumbnailLoader small_loader_;
  ThumbnailLoader full_loader_;
  Picture picture_ = Picture::kStored;
  AnalysisPtr pictured_;  ///< which the pictures belong to
  PictureSource stored_;
  int side_ = 0;                       ///< of the pictures from stored_
  QHash<qint64, Held> pictures_;       ///< of the items around the one shown
  bool sharp_ = false;                 ///< the view has every pixel
  QCache<qint64, QImage> thumbnails_;  ///< small, of the items shown last
  std::int64_t prefetched_ = 1;        ///< pictures after the one shown, as memory allows
};

}  // namespace dubito
