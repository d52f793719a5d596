// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dubito {

/// "2026-11-23T16:00:00.250Z" for milliseconds since 1970-01-01 UTC; the plain number outside of
/// the years 1970 to 9999.
[[nodiscard]] std::string utcText(std::int64_t time_ms);

/// Milliseconds since 1970-01-01 UTC from ISO 8601: "2021-03-09T22:16:08.728353Z", a space instead
/// of the T, any or no fraction, an offset "+01:00"; without an offset it is UTC. Also a plain
/// number of milliseconds. Nothing for other texts.
[[nodiscard]] std::optional<std::int64_t> parseUtcText(std::string_view text);

}  // namespace dubito
