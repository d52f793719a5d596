// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>

#include "app/labs/method_runner.h"
#include "core/labs/classification/classification_kind.h"

namespace dubito {

/// Lets several methods of the classification laboratory work on the same data. Maps are coarse
/// while anything moves and fine at rest.
class ClassificationRunner : public MethodRunner<ClassificationKind> {
 public:
  /// Cells per side of a coarse map, and draws for it.
  static constexpr std::int64_t kCoarseSide = 40;
  static constexpr std::int64_t kCoarseDraws = 20;

  using MethodRunner<ClassificationKind>::MethodRunner;

  /// Draws all maps again with the current zoom; `moving`: coarse ones, since more will follow.
  void setZoom(double zoom, bool moving) {
    options().zoom = zoom;
    redraw(moving);
  }
  using MethodRunner<ClassificationKind>::redraw;

 protected:
  [[nodiscard]] Paint painter() const override {
    return [options = options()](const ClassificationLab& lab, bool fine,
                                 const ClassPicture* /*earlier*/, RunContext& context) {
      ClassificationLabOptions used = options;
      if (!fine) {
        used.grid = std::min(used.grid, kCoarseSide);
        used.max_draws = std::min(used.max_draws, kCoarseDraws);
      }
      return lab.picture(used, context);
    };
  }
};

}  // namespace dubito
