// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/device.h"

#include <gtest/gtest.h>

namespace dubito {
namespace {

TEST(Device, ParsesAndPrints) {
  EXPECT_EQ(toString(*parseDevice("cpu")), "cpu");
  EXPECT_EQ(toString(*parseDevice("cuda")), "cuda:0");
  EXPECT_EQ(toString(*parseDevice("cuda:3")), "cuda:3");
  for (const char* wrong : {"", "gpu", "cuda:", "cuda:-1", "cuda:1x", "CPU"}) {
    const auto device = parseDevice(wrong);
    ASSERT_FALSE(device) << wrong;
    EXPECT_EQ(device.error().code, ErrorCode::kInvalidArgument);
  }
}

TEST(Device, TheReportNamesDevicesOrTheReasonWhyNot) {
  const DeviceReport report = queryDevices();
  EXPECT_GE(report.cpu_threads, 1);
  EXPECT_GT(report.memory_bytes, 0);
  EXPECT_FALSE(report.cpu_name.empty());
  EXPECT_EQ(report.cuda_devices.empty(), !report.cuda_unavailable_reason.empty());
}

}  // namespace
}  // namespace dubito
