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

/// Version of an item's picture.
enum class Picture {
  kStored,   ///< as stored
  kNetwork,  ///< as the network sees it: resized and cropped, normalisation undone
};

/// Source of item pictures, identified by keys.
struct PictureSource {
  std::shared_ptr<const void> of;  ///< owner of the items; one picture version per loader
  /// Any thread. A null image if the item has no picture or it is broken.
  std::function<QImage(qint64 key)> decode;
};
/// Keys as in keyOf. Null images if there is no dataset, or no network for Picture::kNetwork.
[[nodiscard]] PictureSource picturesOf(const AnalysisPtr& analysis,
                                       Picture picture = Picture::kStored);
/// Stored pictures, keyed by position.
[[nodiscard]] PictureSource picturesOf(const DatasetPtr& dataset);

/// Unique key of an item of an analysis.
[[nodiscard]] qint64 keyOf(ItemRef item);

/// Decodes item pictures on two threads of its own, so that galleries fill while a computation
/// runs.
class ThumbnailLoader : public QObject {
  Q_OBJECT
 public:
  explicit ThumbnailLoader(QObject* parent = nullptr);
  /// Drops waiting requests and finishes pictures in progress.
  ~ThumbnailLoader() override;

  /// Requests pictures; drops waiting requests of another source.
  void load(const PictureSource& source, const QVector<qint64>& keys);
  /// Number of pictures requested but not delivered.
  [[nodiscard]] int pending() const { return pending_; }

 Q_SIGNALS:
  /// `of` as in the source. A null image: not available.
  void loaded(const std::shared_ptr<const void>& of, qint64 key, const QImage& image);

 private:
  QThreadPool pool_;
  std::shared_ptr<const void> of_;
  int pending_ = 0;
  std::shared_ptr<std::atomic<bool>> wanted_;
};

}  // namespace dubito
