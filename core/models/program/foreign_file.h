// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace dubito {

/// What a file is that was given as a network but is not one, with a remedy, judging by its name
/// and its first bytes; empty if that does not tell.
[[nodiscard]] std::string kindOfForeignFile(const std::string& path, const std::string& start);

/// The same for a folder with the files of a network.
[[nodiscard]] std::string kindOfForeignFolder(const std::string& path);

/// How to save a network, as the end of a sentence.
inline constexpr const char* kHowToSaveNetwork =
    "save it in Python with torch.export.save(torch.export.export(model.eval(), (x,), "
    "dynamic_shapes=({0: torch.export.Dim.DYNAMIC},)), \"net.pt2\"), where x is a batch of two or "
    "more items";

/// The same for an archive of NumPy arrays.
inline constexpr const char* kArraysInsteadOfNetwork =
    "this is a file of arrays, not a network; if these are saved predictions, make a run of them "
    "(dubito-cli convert FILE -o RUN.npz) and give the run";

}  // namespace dubito
