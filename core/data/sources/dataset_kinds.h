// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/sources/dataset_kind.h"

namespace dubito {

/// All dataset kinds, in the order of lists: the built-in kinds, then those added by
/// addDatasetKind().
[[nodiscard]] const std::vector<std::shared_ptr<const DatasetKind>>& allDatasetKinds();

/// The kind with this scheme; null if unknown.
[[nodiscard]] const DatasetKind* findDatasetKind(std::string_view scheme);

/// Registers a kind for the rest of the program. Call it at start-up, before any dataset is opened
/// and before a window or command exists: the list is not locked. Throws std::invalid_argument if
/// `kind` is null, if its scheme exists already or is not lower-case letters followed by optional
/// digits, or if one of its options has the name of a common option ("items").
void addDatasetKind(std::shared_ptr<const DatasetKind> kind);

// --- For lists and messages

/// "idx", "cifar10", ...
[[nodiscard]] std::vector<std::string> datasetSchemes();
/// "idx:IMAGES[,LABELS]", "cifar10:FILE[,FILE...]", ...
[[nodiscard]] std::vector<std::string> datasetForms();
/// Options specific to the kind with this scheme; of all kinds if `scheme` is empty.
[[nodiscard]] std::vector<DatasetOption> datasetOptions(const std::string& scheme);

}  // namespace dubito
