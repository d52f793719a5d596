// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/labs/method_runner.h"
#include "core/labs/classification/classification_kind.h"

namespace dubito {

/// Lets several methods of the classification laboratory work on the same data. Maps are coarse
/// while anything moves and fine at rest.
class ClassificationRunner : public MethodRunner<ClassificationKind> {
  Q_OBJECT
 public:
  /// Cells per side of a coarse map, and draws for it.
  static constexpr std::int64_t kCoarseSide = 40;
  static constexpr std::int64_t kCoarseDraws = 20;

  using MethodRunner<ClassificationKind>::MethodRunner;

  /// Draws all maps again with the current zoom; `moving`: coarse ones, since more will follow.
  void setZoom(double zoom, bool moving);
  using MethodRunner<ClassificationKind>::redraw;

 protected:
  [[nodiscard]] Paint painter() const override;
};

}  // namespace dubito
