// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "app/pictures/thumbnail_loader.h"
#include "app/session/session.h"
#include "widgets/image_gallery.h"

namespace dubito {

/// Keeps the items, the primary item and the thumbnails of a gallery in sync with the session. The
/// gallery shows the items listed for the active run, or the images of a dataset.
class GalleryBinder : public QObject {
  Q_OBJECT
 public:
  /// Whether the gallery follows Session::browsed(). Without a run it always shows a dataset.
  enum class Browsing {
    kFollows,  ///< shows the browsed dataset, if any, instead of the run
    kIgnores,  ///< always shows the run if there is one
  };
  /// The binder is a child of `gallery`. All three references must outlive the binder.
  GalleryBinder(Session& session, ThumbnailLoader& loader, ImageGallery& gallery,
                Browsing browsing);

 private:
  /// The dataset shown; null if the items of the run are shown.
  [[nodiscard]] DatasetPtr dataset() const;
  void showItems();
  void showDataset();
  /// Sets the source of the thumbnails. If it has changed, clears the thumbnails.
  void setPictureSource(PictureSource source);
  void showPrimary();

  Session& session_;
  ThumbnailLoader& loader_;
  ImageGallery& gallery_;
  Browsing browsing_;
  PictureSource pictures_;
  bool shows_dataset_ = false;
};

}  // namespace dubito
