// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/expected.h"
#include "core/data/items/dataset.h"
#include "core/io/row_buffer.h"
#include "core/train/head/backbone_features.h"
#include "core/train/head/fit_head.h"
#include "core/train/head/head_classes.h"

namespace dubito {

/// The items that a head is trained on and those that are held out, a share chosen by seed and id.
/// Their features are collected at `place`. Errors of RowBuffer.
[[nodiscard]] Expected<HeadItems> splitItems(const BackboneFeatures& all,
                                             const HeadClasses& classes, const Dataset& dataset,
                                             double validation_share, std::uint64_t seed,
                                             const RowPlace& place);

/// kInvalidArgument unless at least two classes are left to train on.
[[nodiscard]] Status checkSplit(const HeadItems& parts, const Dataset& dataset);

}  // namespace dubito
