// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace dubito {

/// A function of TorchScript that translated programs call. Helpers compute what takes several
/// lines, or depends on sizes or types that are only known when the program runs.
struct HelperFunction {
  std::string_view name;
  std::string_view source;  ///< begins with a line break
  std::array<std::string_view, 3> callees = {};
};

// The helpers by topic.
std::span<const HelperFunction> shapeHelpers();
std::span<const HelperFunction> indexHelpers();
std::span<const HelperFunction> imageHelpers();
std::span<const HelperFunction> layerHelpers();
std::span<const HelperFunction> attentionHelpers();

/// TorchScript source of the named helper functions and of those that they call, each before its
/// callers. Throws std::out_of_range for other names.
[[nodiscard]] std::string helperSource(const std::set<std::string_view>& names);

}  // namespace dubito
