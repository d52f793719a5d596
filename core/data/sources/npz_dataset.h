// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/data/sources/dataset_kind.h"

namespace dubito {

/// npz:FILE: images (or `x`, `X`, `data`) as [N, H, W], [N, H, W, C], [N, C, H, W] or [N, F], and
/// labels (or `label`, `y`, `Y`, `targets`) [N]. If the file has splits instead (x_train and
/// y_train, train_images and train_labels, likewise test and val), ?split=train|val|test selects
/// one; by default, the role selects the training items for train and calibration and the test
/// items otherwise. A note says which split was opened.
[[nodiscard]] std::shared_ptr<const DatasetKind> npzKind();

}  // namespace dubito
