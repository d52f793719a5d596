// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace dubito {

/// A password in the address of a server.
struct PasswordSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool of_user = false;  ///< as in "USER:PASSWORD@HOST"; else the value of a "password=" key
};

/// The passwords in "SCHEME://USER:PASSWORD@HOST/DATABASE?password=PASSWORD", in order. `address`
/// may begin with something else.
[[nodiscard]] std::vector<PasswordSpan> passwordsIn(std::string_view address);

}  // namespace dubito
