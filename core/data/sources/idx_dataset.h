// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/data/sources/dataset_kind.h"

namespace dubito {

/// idx:IMAGES[,LABELS]: images [H, W] or [H, W, C] of bytes, or images or vectors of other numbers.
/// Files may be gzip-compressed. Without LABELS, the file in the same folder with labels-idx1 in
/// place of images-idx3 in its name is used; if there is none, labels are unknown and a note says
/// so. Opening fails if the numbers of labels and images differ; the message names both files.
[[nodiscard]] std::shared_ptr<const DatasetKind> idxKind();

}  // namespace dubito
