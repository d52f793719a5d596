// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/device.h"

namespace dubito {

/// One line of the device list: {"cuda:0", "NVIDIA H100, 80.0 GiB, compute capability 9.0"}.
struct DeviceLine {
  std::string name;
  std::string text;
};

/// A line for the CPU, then one for each CUDA device, or one with the reason why CUDA cannot be
/// used.
[[nodiscard]] std::vector<DeviceLine> deviceLines(const DeviceReport& report);

}  // namespace dubito
