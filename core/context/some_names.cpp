// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context/some_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/in_quotes.h"

namespace dubito {
namespace {

constexpr std::size_t kNamesShown = 5;

}  // namespace

std::string someNames(const std::vector<std::string>& names) {
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(names.size(), kNamesShown); ++i) {
    shown.push_back(inQuotes(names[i]));
  }
  std::string text = fmt::format("{}", fmt::join(shown, ", "));
  if (names.size() > kNamesShown) {
    text += fmt::format(" and {} more", names.size() - kNamesShown);
  }
  return text;
}

}  // namespace dubito
