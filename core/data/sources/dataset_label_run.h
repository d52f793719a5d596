// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/expected.h"
#include "core/data/items/dataset.h"
#include "core/io/run.h"

namespace dubito {

/// The given labels of a dataset as a run of the method kLabelsMethod, so that they can be reviewed
/// without a network. [N] rows, the items with a label; their suggestion is the label, and their
/// confidence is unknown. A note says how many items have no label and are left out.
/// Classes without names are called by their numbers. kInvalidArgument, naming the dataset, if it
/// has no labels.
[[nodiscard]] Expected<Run> datasetLabelRun(const Dataset& dataset);

}  // namespace dubito
