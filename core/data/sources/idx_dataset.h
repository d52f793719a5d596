// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/data/sources/dataset_kind.h"

namespace dubito {

/// idx:IMAGES[,LABELS]: images [H, W] (or [H, W, C]) of bytes, or of other numbers, which may be
/// vectors too; gzipped or not. Without LABELS the file next to the images whose name says
/// labels-idx1 instead of images-idx3 is taken; if there is none, the labels are unknown and a note
/// says so. As many labels as images, or an error that names both files.
[[nodiscard]] std::shared_ptr<const DatasetKind> idxKind();

}  // namespace dubito
