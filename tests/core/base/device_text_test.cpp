// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/device_text.h"

#include <gtest/gtest.h>

namespace dubito {
namespace {

TEST(DeviceText, NamesTheProcessorTheDevicesAndWhatIsMissing) {
  DeviceReport report;
  report.cpu_name = "A processor";
  report.cpu_threads = 8;
  report.memory_bytes = std::int64_t{3} << 29;
  report.cuda_devices.push_back({1, "A card", std::int64_t{80} << 30, 9, 0});
  report.cuda_unavailable_reason = "built without kernels";
  const auto lines = deviceLines(report);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].name, "cpu");
  EXPECT_EQ(lines[0].text, "A processor, 8 threads, 1.5 GiB");
  EXPECT_EQ(lines[1].name, "cuda:1");
  EXPECT_EQ(lines[1].text, "A card, 80.0 GiB, compute capability 9.0");
  EXPECT_EQ(lines[2].name, "cuda");
  EXPECT_EQ(lines[2].text, "not available: built without kernels");
  report.cuda_unavailable_reason.clear();
  EXPECT_EQ(deviceLines(report).size(), 2U);
}

}  // namespace
}  // namespace dubito
