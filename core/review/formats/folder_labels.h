// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/review/formats/label_format.h"

namespace dubito {

/// One folder per class with copies of or links to the images, at CLASS/PATH; both are written by
/// containedPath(). Reading takes only names, so the files may be empty or broken links.
[[nodiscard]] LabelFormat folderLabels();

}  // namespace dubito
