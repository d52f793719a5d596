// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace dubito::test {

/// Repository root, or the folder in DUBITO_SOURCE_DIR that has its tests/data, tests/vectors and
/// datasets/samples, for programs that run on a machine without the repository.
[[nodiscard]] std::filesystem::path sourceDir();

/// The folder with real data, from DUBITO_SHARED; empty if that is not set or has no data.
[[nodiscard]] std::optional<std::filesystem::path> sharedDir();

/// Reference vectors by name ("measures"), from DUBITO_VECTORS or tests/vectors. Throws if they are
/// missing.
[[nodiscard]] nlohmann::json readVectors(const std::string& name);

}  // namespace dubito::test

/// Skips a test if the real data is missing; fails it if DUBITO_REQUIRE_SHARED=1.
#define DUBITO_NEEDS_SHARED()                                                                \
  if (!::dubito::test::sharedDir()) {                                                        \
    const char* const required = std::getenv("DUBITO_REQUIRE_SHARED");                       \
    if (required != nullptr && std::string(required) == "1") {                               \
      FAIL() << "DUBITO_REQUIRE_SHARED=1, but DUBITO_SHARED names no folder with datasets/"; \
    }                                                                                        \
    GTEST_SKIP() << "no real data: set DUBITO_SHARED to the folder that contains datasets/"; \
  }                                                                                          \
  static_assert(true)
