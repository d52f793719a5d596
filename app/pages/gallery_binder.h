// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "app/panels/thumbnail_loader.h"
#include "app/session/session.h"
#include "widgets/image_gallery.h"

namespace dubito {

/// Synchronises a gallery with the session: items, primary item, thumbnails. Without a run, or
/// while a dataset is browsed, the gallery shows a dataset.
class GalleryBinder : public QObject {
  Q_OBJECT
 public:
  /// Which items the gallery shows.
  enum class Browsing {
    kFollows,  ///< the browsed dataset instead of the run
    kIgnores,  ///< a dataset only if there is no run
  };
  /// All three outlive the binder, which belongs to `gallery`.
  GalleryBinder(Session& session, ThumbnailLoader& loader, ImageGallery& gallery,
                Browsing browsing);

 private:
  /// The dataset shown instead of the run's items; null: the run's items.
  [[nodiscard]] DatasetPtr dataset() const;
  void showItems();
  void showDataset();
  /// Sets the source of the gallery's pictures; drops those of another source.
  void takePicturesFrom(PictureSource source);
  void showPrimary();

  Session& session_;
  ThumbnailLoader& loader_;
  ImageGallery& gallery_;
  Browsing browsing_;
  PictureSource pictures_;
  bool shows_dataset_ = false;
};

}  // namespace dubito
