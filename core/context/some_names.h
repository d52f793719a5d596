// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace dubito {

/// "'a', 'b' and 3 more": at most five names, for a message.
[[nodiscard]] std::string someNames(const std::vector<std::string>& names);

}  // namespace dubito
