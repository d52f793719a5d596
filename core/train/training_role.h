// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/expected.h"
#include "core/data/items/dataset.h"

namespace dubito {

/// kInvalidArgument for a dataset whose role says that the classes of its items are not known.
[[nodiscard]] Status checkTrainingRole(const Dataset& dataset);

}  // namespace dubito
