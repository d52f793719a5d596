// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <array>

#include "core/kernels/cuda/host_arrays_torch.h"

namespace dubito {
namespace {

// Any device will do to see that shapes and strides do not matter.
TEST(HostArrays, AreFilledFromTensorsOfAnyShape) {
  const at::Tensor whole = at::arange(12, at::kDouble).view({3, 4});
  std::array<double, 8> rows{};
  copyBack(whole.narrow(0, 1, 2), rows.data());
  EXPECT_EQ(rows, (std::array<double, 8>{4, 5, 6, 7, 8, 9, 10, 11}));
  std::array<double, 6> columns{};
  copyBack(whole.narrow(1, 2, 2), columns.data());
  EXPECT_EQ(columns, (std::array<double, 6>{2, 3, 6, 7, 10, 11}));
  std::array<double, 4> row{};
  copyBack(whole[2], row.data());
  EXPECT_EQ(row, (std::array<double, 4>{8, 9, 10, 11}));
}

TEST(HostArrays, GoToTheDeviceUnlessThereAreNone) {
  const std::array<float, 3> values{1.0F, 2.0F, 4.0F};
  const at::Tensor there = onDevice(values.data(), 3, at::Device(at::kCPU));
  EXPECT_TRUE(there.equal(at::tensor({1.0F, 2.0F, 4.0F})));
  EXPECT_FALSE(onDevice<float>(nullptr, 3, at::Device(at::kCPU)).defined());
}

}  // namespace
}  // namespace dubito
