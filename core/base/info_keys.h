// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace dubito {

// Lists of descriptions with a member `key`, such as all agents or all data sets.

/// The description with this key; null if there is none.
template <class Info>
[[nodiscard]] const Info* findInfo(const std::vector<Info>& infos, std::string_view key) {
  const auto found =
      std::ranges::find_if(infos, [key](const Info& info) { return info.key == key; });
  return found == infos.end() ? nullptr : &*found;
}

/// The keys of all, in the order of the list.
template <class Info>
[[nodiscard]] std::vector<std::string> infoKeys(const std::vector<Info>& infos) {
  std::vector<std::string> keys;
  for (const Info& info : infos) {
    keys.emplace_back(info.key);
  }
  return keys;
}

}  // namespace dubito
