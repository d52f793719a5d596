// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace dubito {

/// What a path or specification is opened as.
enum class FileKind { kModel, kDataset, kPredictions, kUnknown };

/// Guesses from the name and from what it is on disk: folders, idx files and dataset
/// specifications are datasets; .pt, .ptl, .pth models; .npz, .npy, .csv predictions (an .npz
/// without any is tried as a dataset). Reads nothing.
[[nodiscard]] FileKind guessFileKind(const std::string& specification);

}  // namespace dubito
