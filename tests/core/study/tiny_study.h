// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

namespace dubito::test {

/// A study of small synthetic sets that takes seconds: two networks, six methods, two targets, one
/// OOD set, two seeds.
[[nodiscard]] nlohmann::json tinyStudy();

}  // namespace dubito::test
