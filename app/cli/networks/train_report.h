// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/train/train_ensemble.h"

namespace dubito::cli {

/// The report of `train` as one JSON object.
[[nodiscard]] nlohmann::json trainReportJson(const TrainReport& report, const std::string& output);
/// The report of one member of an ensemble, with its number, seed and whether it was trained
/// before.
[[nodiscard]] nlohmann::json memberReportJson(const MemberReport& member,
                                              const std::string& output);
/// The same objects as lines of text, with the command that predicts with all of the networks.
[[nodiscard]] std::string trainReportText(const std::vector<nlohmann::json>& reports);

/// The command that predicts with all of `networks`; empty for fewer than two.
[[nodiscard]] std::string ensembleCommandText(const std::vector<std::string>& networks);
/// The reports of all processes, each a list of members, in the order of the members.
[[nodiscard]] std::vector<nlohmann::json> gatherReports(const nlohmann::json& mine,
                                                        const RunContext& context);

}  // namespace dubito::cli
