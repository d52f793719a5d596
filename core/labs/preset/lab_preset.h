// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/base/expected.h"
#include "core/labs/catalogue/laboratories.h"

namespace dubito {

/// The value of "format" in a file of a preset.
inline constexpr const char* kLabPresetFormat = "dubito-lab";

/// Everything that decides what a laboratory shows, to be shared as a file (docs/formats.md).
struct LabPreset {
  Laboratory laboratory{};
  nlohmann::json set_up;  ///< an object that only the laboratory understands
};

/// The object that a file of `preset` has.
[[nodiscard]] nlohmann::json labPresetToJson(const LabPreset& preset);
/// Writes next to `path` and renames. kWriteFailed as AtomicFile.
[[nodiscard]] Status saveLabPreset(const std::string& path, const LabPreset& preset);
/// kReadFailed for a file that cannot be read; else as parseLabPreset().
[[nodiscard]] Expected<LabPreset> openLabPreset(const std::string& path);
/// The text of a file of the laboratories. kReadFailed, with the remedy, if it cannot be read.
[[nodiscard]] Expected<std::string> readLabText(const std::string& path);
/// Reads the `object` of the file `path`. kUnsupported for a newer version, or else badLabPreset().
[[nodiscard]] Expected<LabPreset> labPresetFromJson(nlohmann::json object, const std::string& path);
/// The same for a file whose text is parsed, too.
[[nodiscard]] Expected<LabPreset> parseLabPreset(const std::string& text, const std::string& path);

/// kMalformed: the file `path` cannot be used because of `reason`.
[[nodiscard]] tl::unexpected<Error> badLabPreset(const std::string& path,
                                                 const std::string& reason);

}  // namespace dubito
