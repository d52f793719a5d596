// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/labs/classification/classification_runner.h"

#include <algorithm>

namespace dubito {

void ClassificationRunner::setZoom(double zoom, bool moving) {
  options().zoom = zoom;
  redraw(moving);
}

ClassificationRunner::Paint ClassificationRunner::painter() const {
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

}  // namespace dubito
