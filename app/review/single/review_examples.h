// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "app/review/single/review_picture_row.h"

namespace dubito {

/// A row of images that somebody has made examples of a class. Hidden if there are none.
class ReviewExamples : public ReviewPictureRow {
  Q_OBJECT
 public:
  /// `reviewer` must outlive the widget.
  explicit ReviewExamples(Reviewer& reviewer, QWidget* parent = nullptr);

  /// -1: no class.
  void showClass(std::int64_t class_id);

 private:
  Reviewer& reviewer_;
};

}  // namespace dubito
