// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "app/panels/thumbnail_loader.h"
#include "app/session/session.h"
#include "widgets/image_gallery.h"

namespace dubito {

/// Keeps a gallery and the session the same: items, primary item, thumbnails. While no run is
/// shown the gallery holds the chosen dataset as it is.
class GalleryBinder : public QObject {
  Q_OBJECT
 public:
  /// All three outlive the binder, which belongs to `gallery`.
  GalleryBinder(Session& session, ThumbnailLoader& loader, ImageGallery& gallery);

 private:
  void showItems();
  void showDataset();
  /// What the gallery's pictures are of; those of something else are forgotten.
  void takePicturesFrom(PictureSource source);
  void showPrimary();

  Session& session_;
  ThumbnailLoader& loader_;
  ImageGallery& gallery_;
  PictureSource pictures_;
};

}  // namespace dubito
