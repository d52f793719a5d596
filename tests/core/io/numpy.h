// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace dubito::test {

/// What one Python program said.
struct NumpyResult {
  bool available = false;  ///< false where there is no Python with NumPy
  int exit_code = -1;
  std::string output;  ///< stdout and stderr
};

/// Runs `program` with NumPy imported as np in the Python that ./run.sh installed, else in python3.
/// The words of `arguments` arrive as sys.argv[1:]; they hold no quotes.
[[nodiscard]] NumpyResult runNumpy(const std::string& program, const std::string& arguments);

}  // namespace dubito::test

/// Runs a Python program that uses asserts; the test is skipped without NumPy and fails where the
/// program fails.
#define DUBITO_NUMPY(program, arguments)                                       \
  {                                                                            \
    const auto numpy = ::dubito::test::runNumpy(program, arguments);           \
    if (!numpy.available) {                                                    \
      GTEST_SKIP() << "no Python with NumPy was found: ./run.sh installs one"; \
    }                                                                          \
    ASSERT_EQ(numpy.exit_code, 0) << numpy.output;                             \
  }                                                                            \
  static_assert(true)
