// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QObject>
#include <QThreadPool>
#include <QVector>
#include <atomic>
#include <functional>
#include <memory>

#include "core/analysis/analysis.h"

namespace dubito {

/// Which picture of an item.
enum class Picture {
  kStored,   ///< as it is stored
  kNetwork,  ///< as the network sees it: resized and cropped, normalisation undone
};

/// Items that have pictures, each with a number of its own.
struct PictureSource {
  std::shared_ptr<const void> of;  ///< what the items belong to; one kind of pictures a loader
  /// From any thread. A null image: the item has no picture, or it is broken.
  std::function<QImage(qint64 key)> decode;
};
/// By the numbers of keyOf. Null images where there is no dataset, or no network to see them.
[[nodiscard]] PictureSource picturesOf(const AnalysisPtr& analysis,
                                       Picture picture = Picture::kStored);
/// As they are stored, by their positions.
[[nodiscard]] PictureSource picturesOf(const DatasetPtr& dataset);

/// One number for an item of an analysis.
[[nodiscard]] qint64 keyOf(ItemRef item);

/// Decodes the pictures of items on two threads of its own, so that galleries fill while a
/// computation runs.
class ThumbnailLoader : public QObject {
  Q_OBJECT
 public:
  explicit ThumbnailLoader(QObject* parent = nullptr);
  /// Drops what waits and finishes the pictures at hand.
  ~ThumbnailLoader() override;

  /// Has pictures decoded; requests for what belongs to something else and still waits are dropped.
  void load(const PictureSource& source, const QVector<qint64>& keys);
  /// Pictures that are asked for and not delivered yet.
  [[nodiscard]] int pending() const { return pending_; }

 Q_SIGNALS:
  /// `of` as in the source. A null image: there is none.
  void loaded(const std::shared_ptr<const void>& of, qint64 key, const QImage& image);

 private:
  QThreadPool pool_;
  std::shared_ptr<const void> of_;
  int pending_ = 0;
  std::shared_ptr<std::atomic<bool>> wanted_;
};

}  // namespace dubito
