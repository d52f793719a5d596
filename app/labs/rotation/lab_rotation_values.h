// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/labs/rotation/rotation_lab.h"
#include "widgets/curve_plot.h"
#include "widgets/item_view_values.h"

namespace dubito {

/// The inputs of the softmax at each step: dots for the draws, lines for their means.
[[nodiscard]] CurvePlotValue softmaxInputs(const RotationResult& result,
                                           const RotationOptions& options);
/// Its outputs, likewise.
[[nodiscard]] CurvePlotValue softmaxOutputs(const RotationResult& result,
                                            const RotationOptions& options);
/// Entropy at each step; with draws, also its aleatoric and epistemic parts.
[[nodiscard]] CurvePlotValue uncertaintyOnPath(const RotationResult& result,
                                               const RotationOptions& options);
/// One entry per step: prediction and confidence.
[[nodiscard]] std::vector<GalleryItem> rotationSteps(const RotationResult& result,
                                                     const RotationOptions& options);

/// What the model says at both ends, and where it is least certain.
[[nodiscard]] QString rotationSentence(const RotationResult& result,
                                       const RotationOptions& options);
/// "MC dropout · T 100 · #2, true class 1".
[[nodiscard]] QString rotationCaption(const RotationResult& result);

}  // namespace dubito
