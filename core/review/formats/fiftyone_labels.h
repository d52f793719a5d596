// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/review/formats/label_format.h"

namespace dubito {

/// FiftyOne: samples.json of a FiftyOneDataset. The class is a Classification, by default in the
/// field "ground_truth".
[[nodiscard]] LabelFormat fiftyOneLabels();

}  // namespace dubito
