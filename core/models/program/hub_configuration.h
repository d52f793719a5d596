// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace dubito {

/// The programs that write config.json in folders of Hugging Face.
enum class HubWriter : std::uint8_t { kTransformers, kTimm };

/// The object in a file of up to 16 MB, as parseRelaxed reads it; null if there is none.
[[nodiscard]] nlohmann::json hubObjectIn(const std::string& path);

/// Which program wrote a config.json. timm names an architecture, transformers the classes and type
/// of the model. Nothing if the object describes something else.
[[nodiscard]] std::optional<HubWriter> writerOf(const nlohmann::json& configuration);

}  // namespace dubito
