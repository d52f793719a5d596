// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/review/formats/label_format.h"

namespace dubito {

/// COCO JSON with categories of whole images: annotations without a box and a segmentation. Several
/// annotations of one image are separate rows, with their scores. Objects in images are noted
/// and left out.
[[nodiscard]] LabelFormat cocoLabels();

}  // namespace dubito
