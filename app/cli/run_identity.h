// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/io/run.h"

namespace dubito::cli {

/// Hash of ids and probabilities (confidences if absent), 16 hexadecimal digits: equal for runs
/// with the same predictions, whatever their file names.
[[nodiscard]] std::string predictionHash(const Run& run);

/// Identity of a run that a result is based on: "path" as given, seed, "prediction_hash", and
/// method, model and dataset if known.
[[nodiscard]] nlohmann::json identityToJson(const std::string& path, const Run& run);

}  // namespace dubito::cli
