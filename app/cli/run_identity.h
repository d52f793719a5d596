// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/io/run.h"

namespace dubito::cli {

/// Hash of ids and probabilities (confidences if absent), 16 hexadecimal digits: equal for runs
/// with the same predictions, regardless of their file names.
[[nodiscard]] std::string predictionHash(const Run& run);

/// Identifies the run from which a result was computed: "path" as given, seed, "prediction_hash",
/// and method, model and dataset if known.
[[nodiscard]] nlohmann::json identityToJson(const std::string& path, const Run& run);

}  // namespace dubito::cli
