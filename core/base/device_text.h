// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/device.h"

namespace dubito {

/// A device, or what is missing, as people read it: {"cuda:0", "NVIDIA H100, 80.0 GiB, compute
/// capability 9.0"}.
struct DeviceLine {
  std::string name;
  std::string text;
};

/// The processor first, then the CUDA devices, or why there is none.
[[nodiscard]] std::vector<DeviceLine> deviceLines(const DeviceReport& report);

}  // namespace dubito
