// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/expected.h"

namespace dubito {

/// The files and folders that a dataset specification names, in its order; none if its
/// items are generated. Errors of parseDatasetSpec.
[[nodiscard]] Expected<std::vector<std::string>> datasetFiles(const std::string& specification);

/// The specification with `files` in the place of those that it names, everything else as it was:
/// datasetFiles() of the result are `files`, once they are there. kInvalidArgument if
/// generated items are given files, or any others none.
[[nodiscard]] Expected<std::string> withDatasetFiles(const std::string& specification,
                                                     const std::vector<std::string>& files);

}  // namespace dubito
