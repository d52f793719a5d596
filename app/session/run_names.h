// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace dubito {

class Session;

/// Names given by the user to the session's runs, by position.
[[nodiscard]] std::vector<std::string> givenNames(const Session& session);
/// distinctNames of the session's runs.
[[nodiscard]] std::vector<std::string> runNames(const Session& session);

}  // namespace dubito
