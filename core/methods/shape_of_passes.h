// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/models/model.h"
#include "core/runs/run_shape.h"

namespace dubito {

/// The shape of a run that averages `draws` passes of `model`. If `draws` is 0, the run is a single
/// pass and stores its logits if the model outputs logits.
[[nodiscard]] RunShape shapeOfPasses(const Model& model, std::int64_t draws, bool keeps_samples);

}  // namespace dubito
