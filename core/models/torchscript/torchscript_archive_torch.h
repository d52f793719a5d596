// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/models/program/network_file_torch.h"

namespace dubito {

/// Reads a TorchScript file. For any other file (a state_dict, a pickled module, an archive for the
/// lite interpreter, an exported program, a truncated archive, or one that is no zip file), the
/// error says what kind of file it is.
[[nodiscard]] Expected<NetworkFile> openTorchScript(const std::string& path);

/// metadata.json of a TorchScript file, whose weights are not read; empty if absent. Errors of
/// openTorchScript for files that are no archive, or a damaged one.
[[nodiscard]] Expected<std::string> readArchiveMetadata(const std::string& path);

}  // namespace dubito
