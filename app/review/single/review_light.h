// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QSlider;

namespace dubito {

class ZoomView;

/// A small form over the image that brightens it on the screen.
class ReviewLight : public QFrame {
  Q_OBJECT
 public:
  /// `image` must outlive the form.
  explicit ReviewLight(ZoomView& image);

  /// Shows the form at the top of the image, or closes it.
  void toggle();

 private:
  void apply();

  ZoomView& image_;
  QSlider* brightness_;
  QSlider* contrast_;
};

}  // namespace dubito
