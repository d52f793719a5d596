// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/run_tests.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace dubito::test {
namespace {

/// GoogleTest filter for the tests of one source; empty if it has none.
std::string testsOfSource(std::string_view source) {
  std::string filter;
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *all.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const testing::TestInfo& test = *suite.GetTestInfo(t);
      if (std::filesystem::path(test.file()).stem() == source) {
        filter += (filter.empty() ? "" : ":") + std::string(suite.name()) + "." + test.name();
      }
    }
  }
  return filter;
}

}  // namespace

int runTests(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  constexpr std::string_view kFlag = "--source=";
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.starts_with(kFlag)) {
      const std::string filter = testsOfSource(argument.substr(kFlag.size()));
      if (filter.empty()) {
        std::fprintf(stderr, "%s: this program has no tests from this source\n", argv[i]);
        return 1;
      }
      testing::GTEST_FLAG(filter) = filter;
    }
  }
  return RUN_ALL_TESTS();
}

}  // namespace dubito::test
