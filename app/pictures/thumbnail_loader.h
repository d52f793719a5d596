// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QImage>
#include <QObject>
#include <QThreadPool>
#include <QVector>
#include <atomic>
#include <memory>

#include "app/pictures/picture_source.h"

namespace dubito {

/// Decodes item pictures on two separate threads, so that galleries fill even while a computation
/// is running. Each loader serves one version of the pictures.
class ThumbnailLoader : public QObject {
  Q_OBJECT
 public:
  explicit ThumbnailLoader(QObject* parent = nullptr);
  /// Drops waiting requests and waits for pictures being decoded.
  ~ThumbnailLoader() override;

  /// Requests the pictures of `keys`, in this order and before those requested earlier, also where
  /// they wait already; a picture that is being decoded is not requested again. Drops waiting
  /// requests for other sources.
  void load(const PictureSource& source, const QVector<qint64>& keys);
  /// The same, but also drops waiting requests for other keys.
  void loadOnly(const PictureSource& source, const QVector<qint64>& keys);
  /// Drops all requests; pictures that are being decoded are not delivered.
  void clear() { loadOnly({}, {}); }
  /// Number of pictures requested but not delivered.
  [[nodiscard]] int pending() const { return static_cast<int>(requested_.size()); }

 Q_SIGNALS:
  /// Delivers a picture of the source with this `owner`. A null image means not available.
  void loaded(const std::shared_ptr<const void>& owner, qint64 key, const QImage& image);

 private:
  /// Which of the two comes first: a thread begins to decode, or the request is dropped.
  using Taken = std::shared_ptr<std::atomic<bool>>;
  void start(const PictureSource& source, qint64 key, const Taken& taken);

  QThreadPool pool_;
  std::shared_ptr<const void> owner_;
  int priority_ = 0;
  QHash<qint64, Taken> requested_;  ///< not delivered, by key
};

}  // namespace dubito
