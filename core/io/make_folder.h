// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"

namespace dubito {

/// Makes `folder` and those that lead to it, where they are missing. kWriteFailed if that is not
/// possible.
[[nodiscard]] Status makeFolder(const std::string& folder);

}  // namespace dubito
