// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/images/preprocessing.h"

namespace dubito {

/// An item as the network sees it: its input after channels, resize and crop, with scaling and
/// normalisation undone (RGB or grey; 8-bit values are clamped to 0..255, floats are stretched to
/// it). Errors of preprocess() and toDisplayImage().
[[nodiscard]] Expected<Image8> toNetworkImage(const Sample& sample,
                                              const Preprocessing& preprocessing);

}  // namespace dubito
