// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/models/program/network_file_torch.h"

namespace dubito {

/// Whether a file is an ONNX file by its contents, or by its ending if it is damaged.
[[nodiscard]] bool recognisesOnnx(const std::string& path);

/// Reads an ONNX file. Its graph becomes a TorchScript program whose layers have the names of the
/// network it was exported from. Fails, in one line with a remedy, for damaged files, for operators
/// that are not supported (named with their node), and for networks that take something else than
/// one tensor of images or vectors.
[[nodiscard]] Expected<NetworkFile> readOnnx(const std::string& path);

}  // namespace dubito
