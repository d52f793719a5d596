// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace dubito {

// Filters of file dialogs, as QFileDialog takes them. Those of datasets are read from
// allDatasetKinds().

[[nodiscard]] QString modelFilter();
/// The files of all kinds of datasets, then those of each kind.
[[nodiscard]] QString datasetFilter();
[[nodiscard]] QString predictionFilter();
/// Whatever the window opens.
[[nodiscard]] QString anythingFilter();

}  // namespace dubito
