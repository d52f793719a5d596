// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace dubito::test {

/// Root of the checkout.
[[nodiscard]] std::filesystem::path sourceDir();

/// The folder of real data, from DUBITO_SHARED, or nothing where that is not set or lacks it.
[[nodiscard]] std::optional<std::filesystem::path> sharedDir();

/// Reference vectors by name ("measures"), from DUBITO_VECTORS or tests/vectors. Throws where they
/// are missing.
[[nodiscard]] nlohmann::json readVectors(const std::string& name);

}  // namespace dubito::test

/// Ends a test as skipped where the real data is missing, as failed where DUBITO_REQUIRE_SHARED=1
/// says that it must be there.
#define DUBITO_NEEDS_SHARED()                                                                      \
  if (!::dubito::test::sharedDir()) {                                                              \
    const char* const required = std::getenv("DUBITO_REQUIRE_SHARED");                             \
    if (required != nullptr && std::string(required) == "1") {                                     \
      FAIL() << "DUBITO_REQUIRE_SHARED=1, but DUBITO_SHARED names no folder with datasets/";       \
    }                                                                                              \
    GTEST_SKIP() << "real data is not here: set DUBITO_SHARED to the folder that holds datasets/"; \
  }                                                                                                \
  static_assert(true)
