// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace dubito {

/// TorchScript source of the named helper functions and of those that they call, each before its
/// callers. Helpers compute what takes several lines, or depends on sizes or types that are only
/// known when the program runs. Throws std::out_of_range for other names.
[[nodiscard]] std::string helperSource(const std::set<std::string_view>& names);

}  // namespace dubito
