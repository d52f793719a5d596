// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/base/expected.h"

namespace dubito {

/// {"error": message, "code": number, "context": text, "remedy": {...}}: an error on its way
/// between processes, and for programs that read the output of a command. Parts of the remedy that
/// are absent are left out.
[[nodiscard]] nlohmann::ordered_json errorToJson(const Error& error);

/// The error that errorToJson() wrote. Members that are absent or of another type are left empty,
/// and an unknown code becomes kInternal.
[[nodiscard]] Error errorFromJson(const nlohmann::json& object);

}  // namespace dubito
