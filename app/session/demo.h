// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "app/files/open_file.h"

namespace dubito {

/// Folder with the embedded demo: DUBITO_SAMPLES, the sources it was built from, or
/// share/dubito/samples beside the program. Nothing where none has it.
[[nodiscard]] std::optional<std::filesystem::path> findSamples();

/// Network, MNIST test images, and the two OOD datasets of the demo.
[[nodiscard]] std::vector<OpenRequest> demoRequests(const std::filesystem::path& samples);

}  // namespace dubito
