// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/base/run_context.h"

namespace dubito {

/// 16 hexadecimal digits that are equal for specifications of the same items, whatever their
/// options (items, classes, role, corrupt, labels of people) and wherever the files are; see
/// LabelledDataset. They come from the first 16 rows as stored, so that datasets can grow. Empty if
/// ids are not row numbers: ids that are hashes of paths tell datasets apart themselves. Errors of
/// openDataset() and of reading these rows.
[[nodiscard]] Expected<std::string> datasetFingerprint(const std::string& spec,
                                                       RunContext& context);

}  // namespace dubito
