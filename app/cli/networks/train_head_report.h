// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/train/head/train_head.h"

namespace dubito::cli {

/// The report of `train head` as one JSON object.
[[nodiscard]] nlohmann::json headReportJson(const HeadReport& report, const std::string& output);
/// The same as lines of text.
[[nodiscard]] std::string headReportText(const HeadReport& report, const std::string& output);

/// A line about one epoch of a head.
[[nodiscard]] std::string headEpochText(const HeadEpoch& epoch);

}  // namespace dubito::cli
