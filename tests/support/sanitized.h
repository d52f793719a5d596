// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito::test {

/// Whether this is a sanitizer build. Sanitizers allocate memory and handle fatal signals, so tests
/// of either do not apply.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace dubito::test

/// Skips a test in a sanitizer build.
#define DUBITO_NEEDS_NO_SANITIZER()                                        \
  if (::dubito::test::kSanitized) {                                        \
    GTEST_SKIP() << "a sanitizer uses its own memory and signal handlers"; \
  }                                                                        \
  static_assert(true)
