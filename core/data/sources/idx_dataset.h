// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/data/sources/dataset_kind.h"

namespace dubito {

/// idx:IMAGES[,LABELS]: images [H, W] or [H, W, C] of bytes, or images or vectors of other numbers;
/// gzip-compressed or not. Without LABELS, the file in the same folder with labels-idx1 in place of
/// images-idx3 in its name is used; if there is none, labels are unknown and a note says so. A
/// different number of labels and images is an error that names both files.
[[nodiscard]] std::shared_ptr<const DatasetKind> idxKind();

}  // namespace dubito
