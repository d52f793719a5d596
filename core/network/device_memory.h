// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/device.h"

namespace dubito {

/// Largest number of bytes that the tensors of this process have had at a time in the memory of a
/// GPU since the last reset, without the CUDA libraries' own; 0 for the CPU, and before the GPU was
/// first used.
[[nodiscard]] std::int64_t peakDeviceBytes(const Device& device);
/// From now on the peak is that of later work, at least what is there now.
void resetPeakDeviceBytes(const Device& device);

}  // namespace dubito
