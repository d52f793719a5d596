// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dubito {

using ::testing::HasSubstr;
using ::testing::Not;

namespace test {

/// Whether `result`, an Expected, has a value; a failure prints its error message.
template <class Result>
testing::AssertionResult isOk(const Result& result) {
  if (result) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << result.error().message;
}

}  // namespace test
}  // namespace dubito

#define ASSERT_OK(result) ASSERT_TRUE(::dubito::test::isOk(result))
#define EXPECT_OK(result) EXPECT_TRUE(::dubito::test::isOk(result))
