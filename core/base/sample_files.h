// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace dubito {

/// The folder with the samples of this program that has a file `name`: DUBITO_SAMPLES,
/// share/dubito/samples of an installed program, or datasets/samples of the source tree. nullopt if
/// none has it.
[[nodiscard]] std::optional<std::filesystem::path> findSampleFolder(const std::string& name);

/// Path of the sample `name`; nullopt if it is missing.
[[nodiscard]] std::optional<std::string> findSampleFile(const std::string& name);

}  // namespace dubito
