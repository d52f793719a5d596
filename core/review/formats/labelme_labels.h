// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/review/formats/label_format.h"

namespace dubito {

/// labelme: one JSON file per image, whose image flags are the classes.
[[nodiscard]] LabelFormat labelmeLabels();

}  // namespace dubito
