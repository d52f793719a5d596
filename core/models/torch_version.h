// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace dubito {

/// Version of the LibTorch that this program was compiled against: "2.11.0".
[[nodiscard]] std::string torchVersion();

}  // namespace dubito
