// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "app/files/open_file.h"

namespace dubito {

/// Folder of the embedded demo: DUBITO_SAMPLES, share/dubito/samples of an installed program, or
/// datasets/samples in the source tree; the first that exists, if any.
[[nodiscard]] std::optional<std::filesystem::path> findSamples();

/// The demo's network, MNIST test images and two OOD datasets.
[[nodiscard]] std::vector<OpenRequest> demoRequests(const std::filesystem::path& samples);

}  // namespace dubito
