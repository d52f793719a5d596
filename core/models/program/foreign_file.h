// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/base/expected.h"

namespace dubito {

/// The error for a file that was given as a network but is not one, judging by its name and its
/// first bytes: what it is and what to do. Nothing if they do not tell.
[[nodiscard]] std::optional<Error> foreignFileError(const std::string& path,
                                                    const std::string& start);

/// The same for a folder with the files of a network.
[[nodiscard]] std::optional<Error> foreignFolderError(const std::string& path);

/// Whether these would name a network in a form that cannot be opened, judging by the name of the
/// file or the files in the folder.
[[nodiscard]] bool isForeignNetwork(const std::string& path);

/// What to say about an archive of NumPy arrays.
inline constexpr const char* kArraysInsteadOfNetwork =
    "this is a file of arrays, not a network; if these are saved predictions, make a run of them "
    "(dubito-cli convert FILE -o RUN.npz) and give the run";

}  // namespace dubito
