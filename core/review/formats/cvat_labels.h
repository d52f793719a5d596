// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/review/formats/label_format.h"

namespace dubito {

/// CVAT: "CVAT for images 1.1", XML with a <tag> per labelled image.
[[nodiscard]] LabelFormat cvatLabels();

}  // namespace dubito
