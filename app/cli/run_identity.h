// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/io/run.h"

namespace dubito::cli {

/// A hash over ids and probabilities (confidences where there are none), 16 hexadecimal digits:
/// equal for runs that predict the same, whatever their files are called.
[[nodiscard]] std::string predictionHash(const Run& run);

/// Which run a result rests on: "path" as it was given, how it came about, as far as that is known,
/// and "prediction_hash".
[[nodiscard]] nlohmann::json identityToJson(const std::string& path, const Run& run);

}  // namespace dubito::cli
