// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"

namespace dubito {

/// The Error::context of an error with lines of a program that the user can copy to remove the
/// cause. `details` are for the log.
[[nodiscard]] std::string offeringLines(const std::string& lines, const std::string& details);

/// The lines that an error offers; empty if it offers none.
[[nodiscard]] std::string offeredLines(const Error& error);

}  // namespace dubito
