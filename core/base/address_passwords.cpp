// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/address_passwords.h"

#include <algorithm>

namespace dubito {

std::vector<PasswordSpan> passwordsIn(std::string_view address) {
  constexpr std::string_view kKey = "password=";
  std::vector<PasswordSpan> spans;
  const std::size_t mark = address.find("://");
  const std::size_t user = mark == std::string_view::npos ? 0 : mark + 3;
  const std::size_t host_end = std::min(address.find_first_of("/?", user), address.size());
  const std::size_t at = address.substr(0, host_end).rfind('@');
  const std::size_t colon = address.find(':', user);
  if (at != std::string_view::npos && at >= user && colon < at) {
    spans.push_back({colon + 1, at, true});
  }
  for (std::size_t key = address.find(kKey, user); key != std::string_view::npos;
       key = address.find(kKey, key + 1)) {
    const std::size_t value = key + kKey.size();
    spans.push_back({value, std::min(address.find('&', value), address.size()), false});
  }
  return spans;
}

}  // namespace dubito
