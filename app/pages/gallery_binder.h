// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "app/panels/thumbnail_loader.h"
#include "app/session/session.h"
#include "widgets/image_gallery.h"

namespace dubito {

/// Keeps a gallery and the session the same: items, primary item, thumbnails. While no run is
/// shown, or a dataset is browsed, the gallery holds a dataset as it is.
class GalleryBinder : public QObject {
  Q_OBJECT
 public:
  /// Which datasets the gallery shows.
  enum class Browsing {
    kFollows,  ///< the one that is browsed, in place of the run
    kIgnores,  ///< none while there is a run
  };
  /// All three outlive the binder, which belongs to `gallery`.
  GalleryBinder(Session& session, ThumbnailLoader& loader, ImageGallery& gallery,
                Browsing browsing);

 private:
  /// The dataset in place of the run's items; null: the run's.
  [[nodiscard]] DatasetPtr dataset() const;
  void showItems();
  void showDataset();
  /// What the gallery's pictures are of; those of something else are forgotten.
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
