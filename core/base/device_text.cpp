// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/device_text.h"

#include <fmt/format.h>

namespace dubito {
namespace {

constexpr double kBytesPerGiB = 1024.0 * 1024.0 * 1024.0;

double inGiB(std::int64_t bytes) {
  return static_cast<double>(bytes) / kBytesPerGiB;
}

}  // namespace

std::vector<DeviceLine> deviceLines(const DeviceReport& report) {
  std::vector<DeviceLine> lines{
      {"cpu", fmt::format("{}, {} threads, {:.1f} GiB", report.cpu_name, report.cpu_threads,
                          inGiB(report.memory_bytes))}};
  for (const CudaDeviceInfo& device : report.cuda_devices) {
    lines.push_back(
        {fmt::format("cuda:{}", device.index),
         fmt::format("{}, {:.1f} GiB, compute capability {}.{}", device.name,
                     inGiB(device.memory_bytes), device.compute_major, device.compute_minor)});
  }
  if (!report.cuda_unavailable_reason.empty()) {
    lines.push_back({"cuda", "not available: " + report.cuda_unavailable_reason});
  }
  return lines;
}

}  // namespace dubito
