// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace dubito {

/// How a path or specification is opened.
enum class FileKind { kModel, kDataset, kPredictions, kLabels, kWorkspace, kStudy, kLab, kUnknown };

/// Guesses the kind without reading the file, unless it is JSON: presets and stories of the
/// laboratories are found by their content. Studies: folders with a table.json and a folder runs
/// (the results of dubito-cli study). Datasets: other folders, dataset specifications and names
/// claimed by a dataset kind (DatasetKind::claimsName()). Models: .pt, .ptl, .pth, .ts,
/// .torchscript. Workspaces: .dubito. Labels of another program: .json, .jsonl, .ndjson, .xml and
/// annotations:, and the stores of reviews, .labels. Predictions: .npz, .npy, .csv; an .npz without
/// predictions, a .csv that lists images, and labels in tables and folders are recognised only when
/// they are opened.
[[nodiscard]] FileKind guessFileKind(const std::string& specification);

}  // namespace dubito
