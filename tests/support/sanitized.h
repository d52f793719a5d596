// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace dubito::test {

/// Whether a sanitizer watches this build: it takes memory of its own and catches fatal signals, so
/// that tests of either cannot hold.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace dubito::test

/// Ends a test as skipped in a build that a sanitizer watches.
#define DUBITO_NEEDS_NO_SANITIZER()                                          \
  if (::dubito::test::kSanitized) {                                          \
    GTEST_SKIP() << "a sanitizer has memory and signal handlers of its own"; \
  }                                                                          \
  static_assert(true)
