// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace dubito {

/// What a path or specification is opened as.
enum class FileKind { kModel, kDataset, kPredictions, kWorkspace, kUnknown };

/// Guesses from the name and from what it is on disk: folders, dataset specifications and names
/// that a kind of dataset claims (DatasetKind::claimsName()) are datasets; .pt, .ptl, .pth models;
/// .dubito workspaces; .npz, .npy, .csv predictions (an .npz without any, or a .csv that lists
/// images, turns out to be a dataset when it is opened). Reads nothing.
[[nodiscard]] FileKind guessFileKind(const std::string& specification);

}  // namespace dubito
