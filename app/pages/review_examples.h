// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstdint>

#include "app/panels/thumbnail_loader.h"

namespace dubito {

class ImageGallery;
class Reviewer;

/// A row of images that somebody has made examples of a class. Hidden if there are none.
class ReviewExamples : public QWidget {
  Q_OBJECT
 public:
  /// `reviewer` must outlive the widget.
  explicit ReviewExamples(Reviewer& reviewer, QWidget* parent = nullptr);

  /// -1: no class.
  void showClass(std::int64_t class_id);

 private:
  Reviewer& reviewer_;
  ThumbnailLoader loader_;
  ImageGallery* gallery_;
};

}  // namespace dubito
