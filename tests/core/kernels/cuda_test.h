// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "core/kernels/cuda_library.h"

namespace dubito::test {

/// Tests that need the first GPU. Without one they are skipped, or fail if DUBITO_REQUIRE_CUDA
/// is 1.
class CudaTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const Status ready = prepareCuda(kGpu); !ready) {
      const char* const required = std::getenv("DUBITO_REQUIRE_CUDA");
      if (required != nullptr && std::string(required) == "1") {
        FAIL() << "DUBITO_REQUIRE_CUDA=1, but " << ready.error().message;
      }
      GTEST_SKIP() << ready.error().message;
    }
  }

  static constexpr Device kGpu{Device::Kind::kCuda, 0};
};

}  // namespace dubito::test
