// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/images/preprocessing.h"

namespace dubito {

/// An image of the network's input for an item: after channel conversion, resize and crop, with
/// scaling and normalisation undone. It is RGB or grey. Values of 8-bit images are clamped to
/// 0..255, floats are stretched to that range. Fails like preprocess() and toDisplayImage().
[[nodiscard]] Expected<Image8> toNetworkImage(const Sample& sample,
                                              const Preprocessing& preprocessing);

}  // namespace dubito
