// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/analysis/analysis.h"

namespace dubito {

/// Distinct names of the analyses. The model is included if there are several networks, and every
/// setting in which runs of the same name differ; names that are still equal get seed, dataset, OOD
/// sets and finally a number. `given`, by position, are names chosen by the user (empty: none);
/// these stay unchanged.
[[nodiscard]] std::vector<std::string> distinctNames(const std::vector<AnalysisPtr>& analyses,
                                                     const std::vector<std::string>& given = {});

/// As distinctNames, but without model and dataset, for lists that show these next to the name.
[[nodiscard]] std::vector<std::string> shortNames(const std::vector<AnalysisPtr>& analyses,
                                                  const std::vector<std::string>& given = {});

/// The name of a run's network: the name of its model, else that of the model file; empty if
/// unknown.
[[nodiscard]] std::string networkName(const Analysis& analysis);

}  // namespace dubito
