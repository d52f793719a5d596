// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/sources/dataset_kind.h"

namespace dubito {

/// The kinds of datasets in the order in which they are listed: the built-in ones, then those that
/// were added.
[[nodiscard]] const std::vector<std::shared_ptr<const DatasetKind>>& allDatasetKinds();

/// The kind with this scheme; null if unknown.
[[nodiscard]] const DatasetKind* findDatasetKind(std::string_view scheme);

/// Adds a kind to all lists, for the rest of the program. To be called at start-up, before any
/// dataset is opened and before a window or a command exists: nothing locks the list. Throws
/// std::invalid_argument for null, for a scheme that is taken or is not made of lower-case
/// letters (digits may follow), and for an option named like one of all kinds ("items").
void addDatasetKind(std::shared_ptr<const DatasetKind> kind);

// --- What lists and messages say of all kinds

/// "idx", "cifar10", ...
[[nodiscard]] std::vector<std::string> datasetSchemes();
/// "idx:IMAGES[,LABELS]", "cifar10:FILE[,FILE...]", ...
[[nodiscard]] std::vector<std::string> datasetForms();
/// The options that only the kind with this scheme has; of any kind if `scheme` is empty.
[[nodiscard]] std::vector<DatasetOption> datasetOptions(const std::string& scheme);

}  // namespace dubito
