// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace dubito {

class Session;

/// Names that the user gave to the session's runs, in the order of Session::analyses(); empty:
/// none.
[[nodiscard]] std::vector<std::string> givenNames(const Session& session);
/// Display names of the session's runs, in the same order; no two are equal (distinctNames).
[[nodiscard]] std::vector<std::string> runNames(const Session& session);

}  // namespace dubito
