// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace dubito {

/// The element of a list of descriptions whose member `key` is `key`; nullptr if there is none.
/// Valid as long as the list.
template <class Infos>
[[nodiscard]] auto findByKey(const Infos& infos, std::string_view key) -> decltype(&infos.front()) {
  const auto found =
      std::ranges::find_if(infos, [key](const auto& info) { return info.key == key; });
  return found == infos.end() ? nullptr : &*found;
}

/// The keys of a list of descriptions, each followed by a comma and a space, for messages.
template <class Infos>
[[nodiscard]] std::string keysOf(const Infos& infos) {
  std::string keys;
  for (const auto& info : infos) {
    keys += info.key;
    keys += ", ";
  }
  return keys;
}

}  // namespace dubito
