// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace dubito {

// Filters for QFileDialog. Those of datasets come from allDatasetKinds().

[[nodiscard]] QString modelFilter();
/// All dataset files, then those of each kind.
[[nodiscard]] QString datasetFilter();
[[nodiscard]] QString predictionFilter();
/// Every file type that the window opens.
[[nodiscard]] QString anythingFilter();

}  // namespace dubito
