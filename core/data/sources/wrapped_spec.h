// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/expected.h"
#include "core/data/sources/dataset_spec.h"

namespace dubito {

/// `spec` and the specifications that it wraps (DatasetKind::wrapped()), each in the one before;
/// the last one has the items. Empty if this never ends, as for two label stores that belong to
/// each other. Errors of wrapped(), parseDatasetSpec() and resolveScheme().
[[nodiscard]] Expected<std::vector<DatasetSpec>> wrappedSpecs(const DatasetSpec& spec);

}  // namespace dubito
