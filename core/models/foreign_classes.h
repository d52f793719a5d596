// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace dubito {

/// Class names in the order of their numbers, from a list of names, a dictionary from number to
/// name or from name to number, or a list of objects with id and name. Nothing if it is none of
/// these, if the numbers are not 0 to K - 1, or if it could be read in two ways.
[[nodiscard]] std::optional<std::vector<std::string>> classNamesFrom(const nlohmann::json& value);

/// Whether the names are numbered placeholders of an exporter ("LABEL_0", "LABEL_1", ...).
[[nodiscard]] bool arePlaceholders(const std::vector<std::string>& names);

}  // namespace dubito
