// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QObject>
#include <QThreadPool>
#include <QVector>
#include <atomic>
#include <memory>

#include "app/session/analysis.h"

namespace dubito {

/// Which picture of an item.
enum class Picture {
  kStored,   ///< as it is stored
  kNetwork,  ///< as the network sees it: resized and cropped, normalisation undone
};

/// Decodes the pictures of items on two threads of its own, so that galleries fill while a
/// computation runs.
class ThumbnailLoader : public QObject {
  Q_OBJECT
 public:
  explicit ThumbnailLoader(QObject* parent = nullptr, Picture picture = Picture::kStored);
  /// Drops what waits and finishes the pictures at hand.
  ~ThumbnailLoader() override;

  /// One number for an item, and back.
  [[nodiscard]] static qint64 keyOf(ItemRef item);
  [[nodiscard]] static ItemRef itemOf(qint64 key);

  /// Has pictures decoded; requests for another analysis that still wait are dropped.
  void load(const AnalysisPtr& analysis, const QVector<qint64>& keys);
  /// Pictures that are asked for and not delivered yet.
  [[nodiscard]] int pending() const { return pending_; }

 Q_SIGNALS:
  /// A null image: the item has no picture, or it is broken.
  void loaded(const dubito::AnalysisPtr& analysis, qint64 key, const QImage& image);

 private:
  Picture picture_;
  QThreadPool pool_;
  AnalysisPtr analysis_;
  int pending_ = 0;
  std::shared_ptr<std::atomic<bool>> wanted_;
};

/// The picture of one item; null where it has none, cannot be read or no network is there to see
/// it. From any thread.
[[nodiscard]] QImage decodeItem(const Analysis& analysis, ItemRef item,
                                Picture picture = Picture::kStored);

}  // namespace dubito
