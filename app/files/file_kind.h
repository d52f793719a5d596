// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace dubito {

/// How a path or specification is opened.
enum class FileKind { kModel, kDataset, kPredictions, kWorkspace, kStudy, kUnknown };

/// Guesses the kind without reading the file. Studies: folders with a table.json and a folder runs
/// (the results of dubito-cli study). Datasets: other folders, dataset specifications and names
/// claimed by a dataset kind (DatasetKind::claimsName()). Models: .pt, .ptl, .pth, .ts,
/// .torchscript. Workspaces: .dubito. Predictions: .npz, .npy, .csv; an .npz without predictions
/// and a .csv that lists images are recognised as datasets only when they are opened.
[[nodiscard]] FileKind guessFileKind(const std::string& specification);

}  // namespace dubito
