// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "app/files/open_file.h"

namespace dubito {

/// Folder of the demo files (findSampleFolder). nullopt if they are missing.
[[nodiscard]] std::optional<std::filesystem::path> findSamples();

/// Requests that open the demo: its network, MNIST test images and two OOD datasets; of the MNIST
/// images, 400 are held out to fit a posterior on, and 300 to calibrate on. The network was trained
/// on none of them.
[[nodiscard]] std::vector<OpenRequest> demoRequests(const std::filesystem::path& samples);

}  // namespace dubito
