// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "core/data/sources/dataset_kind.h"

namespace dubito {

/// csv:FILE: a manifest, one row per image, with the columns path (relative to the manifest's
/// folder) and label (name or number, empty if unknown); any further columns become attributes.
/// Opening decodes nothing; missing images are counted in a note, and reading them fails.
[[nodiscard]] std::shared_ptr<const DatasetKind> csvKind();

/// Whether a CSV file lists images (a column of paths) rather than predictions (columns of class
/// probabilities, or a predicted class with its confidence). Reads the first lines of the file;
/// false if they cannot be read.
[[nodiscard]] bool isManifest(const std::string& path);

}  // namespace dubito
