// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/base/expected.h"

namespace dubito {

/// `value`, which must be an object, with the checksum of its other members as "checksum".
[[nodiscard]] nlohmann::json withChecksum(nlohmann::json value);

/// Whether an object has the checksum of its content. True for those without one, which earlier
/// versions wrote.
[[nodiscard]] bool hasRightChecksum(const nlohmann::json& value);

/// Writes a result as JSON with a checksum; a list becomes the member "results" of an object.
[[nodiscard]] Status writeCheckedJson(const std::string& path, const nlohmann::json& value);

/// The value that writeCheckedJson(), or an earlier version without a checksum, has written.
/// kMalformed if it is damaged; errors of MappedFile::open.
[[nodiscard]] Expected<nlohmann::json> readCheckedJson(const std::string& path);

}  // namespace dubito
