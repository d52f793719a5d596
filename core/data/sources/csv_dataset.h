// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/data/sources/dataset_kind.h"

namespace dubito {

/// csv:FILE: a manifest, one row per image, with the columns path (relative to the folder of the
/// file), label (name or number, empty if unknown) and any others, which become attributes. Decodes
/// nothing; missing images are counted in a note and fail when they are read.
[[nodiscard]] std::shared_ptr<const DatasetKind> csvKind();

}  // namespace dubito
