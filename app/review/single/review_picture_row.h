// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pictures/thumbnail_loader.h"
#include "widgets/image_gallery.h"

namespace dubito {

class Reviewer;

/// One row of small pictures of the run under review; the keys of its items are those of rows
/// (keyOf). Never has the keyboard.
class ReviewPictureRow : public ImageGallery {
 public:
  /// `reviewer` must outlive the widget. `name`: of the object; `height` in pixels.
  ReviewPictureRow(Reviewer& reviewer, const QString& name, int height, QWidget* parent);

  /// Whether pictures are still being read.
  [[nodiscard]] bool busy() const { return loader_.pending() > 0; }

 private:
  ThumbnailLoader loader_;
};

}  // namespace dubito
