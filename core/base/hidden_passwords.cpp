// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hidden_passwords.h"

#include <algorithm>
#include <string_view>

#include "core/base/address_passwords.h"

namespace dubito {
namespace {

void hidePassword(char* text) {
  const std::string_view view(text);
  const std::size_t scheme = view.find("postgres");
  if (scheme == std::string_view::npos || view.find("://", scheme) == std::string_view::npos) {
    return;
  }
  char* const address = text + scheme;
  for (const PasswordSpan& password : passwordsIn(address)) {
    std::fill(address + password.begin, address + password.end, '*');
  }
}

}  // namespace

void hidePasswords(int argc, char** argv) {
  std::for_each(argv, argv + argc, hidePassword);
}

}  // namespace dubito
