// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
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
  kNetwork,  ///< the network input: resized and cropped, with the normalisation undone
};

/// A source of item pictures; each picture is identified by a key.
struct PictureSource {
  std::shared_ptr<const void> owner;  ///< dataset or analysis with the items
  /// Callable from any thread. Returns a null image if the item has no readable picture.
  std::function<QImage(qint64 key)> decode;
};
/// Told about each stored item that was read for a picture; callable from any thread.
using SampleSeen = std::function<void(ItemRef item, const Sample& sample)>;
/// The pictures of the items of an analysis, with keyOf(item) as keys. All images are null if the
/// dataset is not open or, for Picture::kNetwork, the model is not open.
[[nodiscard]] PictureSource picturesOf(const AnalysisPtr& analysis,
                                       Picture picture = Picture::kStored,
                                       const SampleSeen& seen = {});
/// The stored pictures of a dataset; the key is the position of the item.
[[nodiscard]] PictureSource picturesOf(const DatasetPtr& dataset);

/// The pictures of `source` made smaller so that neither side is longer than `max_side` pixels.
[[nodiscard]] PictureSource scaledDown(const PictureSource& source, int max_side);

/// Key of an item, unique within its analysis.
[[nodiscard]] qint64 keyOf(ItemRef item);

/// Decodes item pictures on two separate threads, so that galleries fill even while a computation
/// is running. Each loader serves one version of the pictures.
class ThumbnailLoader : public QObject {
  Q_OBJECT
 public:
  explicit ThumbnailLoader(QObject* parent = nullptr);
  /// Drops waiting requests and waits for pictures being decoded.
  ~ThumbnailLoader() override;

  /// Requests the pictures of `keys`, before those requested earlier; a picture that is on its way
  /// is not requested twice. Drops waiting requests for other sources.
  void load(const PictureSource& source, const QVector<qint64>& keys);
  /// The same, but also drops waiting requests for other keys.
  void loadOnly(const PictureSource& source, const QVector<qint64>& keys);
  /// Number of pictures requested but not delivered.
  [[nodiscard]] int pending() const { return pending_; }

 Q_SIGNALS:
  /// Delivers a picture of the source with this `owner`. A null image means not available.
  void loaded(const std::shared_ptr<const void>& owner, qint64 key, const QImage& image);

 private:
  QThreadPool pool_;
  std::shared_ptr<const void> owner_;
  int pending_ = 0;
  int priority_ = 0;
  std::shared_ptr<std::atomic<bool>> wanted_;
  /// Which of the two comes first: a thread begins to decode, or the request is dropped.
  using Taken = std::shared_ptr<std::atomic<bool>>;
  QHash<qint64, Taken> requested_;  ///< not delivered, by key
};

}  // namespace dubito
