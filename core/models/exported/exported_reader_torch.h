// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/models/program/network_file_torch.h"

namespace dubito {

/// Reads a file of torch.export.save. Its graph becomes the forward of a module, in which operators
/// that differ in training follow the network's flag, whichever mode it was exported in. Fails for
/// packages without a graph, programs that cannot be translated, and damaged files; nothing of the
/// file is unpickled but tensors.
[[nodiscard]] Expected<NetworkFile> readExported(const std::string& path);

}  // namespace dubito
