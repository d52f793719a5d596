// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hidden_passwords.h"

#include <algorithm>
#include <string_view>

namespace dubito {
namespace {

void overwrite(char* text, std::size_t begin, std::size_t end) {
  std::fill(text + begin, text + end, '*');
}

void hidePassword(char* text) {
  constexpr std::string_view kScheme = "postgres";
  constexpr std::string_view kKey = "password=";
  const std::string_view view(text);
  const std::size_t scheme = view.find(kScheme);
  const std::size_t mark = view.find("://", scheme);
  if (scheme == std::string_view::npos || mark == std::string_view::npos) {
    return;
  }
  const std::size_t user = mark + 3;
  const std::size_t host_end = std::min(view.find_first_of("/?", user), view.size());
  const std::size_t at = view.substr(0, host_end).rfind('@');
  const std::size_t colon = view.find(':', user);
  if (at != std::string_view::npos && at > user && colon < at) {
    overwrite(text, colon + 1, at);
  }
  for (std::size_t key = view.find(kKey, user); key != std::string_view::npos;
       key = view.find(kKey, key + 1)) {
    const std::size_t value = key + kKey.size();
    overwrite(text, value, std::min(view.find('&', value), view.size()));
  }
}

}  // namespace

void hidePasswords(int argc, char** argv) {
  std::for_each(argv, argv + argc, hidePassword);
}

}  // namespace dubito
