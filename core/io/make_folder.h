// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"

namespace dubito {

/// Creates `folder` and its missing parents. kWriteFailed if this is not possible.
[[nodiscard]] Status makeFolder(const std::string& folder);

}  // namespace dubito
