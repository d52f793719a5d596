// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/expected.h"

namespace dubito {

/// The files and folders named by a dataset specification, in order; none if its items are
/// generated. Fails like parseDatasetSpec.
[[nodiscard]] Expected<std::vector<std::string>> datasetFiles(const std::string& specification);

/// The files and folders that opening a dataset and reading its items touches: those that the
/// specification names, and the folder of the images that a table lists. A table can also list
/// files elsewhere. Empty if the text is no specification.
[[nodiscard]] std::vector<std::string> datasetPlaces(const std::string& specification);

/// The specification with its files replaced by `files`, otherwise unchanged: datasetFiles() of the
/// result returns `files` once they exist. Fails with kInvalidArgument if `files` is not empty for
/// generated items, or is empty for any other dataset.
[[nodiscard]] Expected<std::string> withDatasetFiles(const std::string& specification,
                                                     const std::vector<std::string>& files);

}  // namespace dubito
