// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace dubito {

/// The keys of a list of descriptions that have a member `key`, in its order.
template <class Info>
[[nodiscard]] std::vector<std::string> infoKeys(const std::vector<Info>& infos) {
  std::vector<std::string> keys;
  for (const Info& info : infos) {
    keys.emplace_back(info.key);
  }
  return keys;
}

}  // namespace dubito
