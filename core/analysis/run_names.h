// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/analysis/analysis.h"

namespace dubito {

/// The analyses' names, made distinct: with the model if they come from several networks, then with
/// every setting in which runs of one name differ, then seed, dataset, OOD sets, number. `given`
/// holds, by position, the names that a user chose (empty: none); these stay as they are.
[[nodiscard]] std::vector<std::string> distinctNames(const std::vector<AnalysisPtr>& analyses,
                                                     const std::vector<std::string>& given = {});

/// The same without the model and the dataset, for lists that show both next to the name.
[[nodiscard]] std::vector<std::string> shortNames(const std::vector<AnalysisPtr>& analyses,
                                                  const std::vector<std::string>& given = {});

/// The name of the network of a run: its model's, else that of the model's file; empty if unknown.
[[nodiscard]] std::string networkName(const Analysis& analysis);

}  // namespace dubito
