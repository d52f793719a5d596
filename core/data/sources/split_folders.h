// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/data/sources/folder_scan.h"

namespace dubito {

/// The subfolders that look like the splits of one dataset (train, val, test, in any usual
/// spelling) and not like its classes, in byte order; empty if the subfolders are classes. "train"
/// between "bus" and "car" is a class.
[[nodiscard]] std::vector<std::string> splitFolders(const FolderScan& scan);

/// A sentence if every subfolder holds the same folders, so that these may be the classes.
[[nodiscard]] std::optional<std::string> sameFoldersNote(const FolderScan& scan);

}  // namespace dubito
