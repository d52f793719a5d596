// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace dubito {

// File name filters for QFileDialog.

[[nodiscard]] QString modelFilter();
/// All dataset files, then those of each kind (allDatasetKinds()).
[[nodiscard]] QString datasetFilter();
[[nodiscard]] QString predictionFilter();
/// Labels of other programs.
[[nodiscard]] QString labelFilter();
/// All file types that the window can open.
[[nodiscard]] QString anythingFilter();

}  // namespace dubito
