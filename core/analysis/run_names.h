// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/analysis/analysis.h"

namespace dubito {

/// Distinct names of the analyses: with the model if there are several networks, then every setting
/// in which runs of the same name differ, then seed, dataset, OOD sets, number. `given`, by
/// position, are names chosen by the user (empty: none), which stay unchanged.
[[nodiscard]] std::vector<std::string> distinctNames(const std::vector<AnalysisPtr>& analyses,
                                                     const std::vector<std::string>& given = {});

/// The same without model and dataset, for lists that show both next to the name.
[[nodiscard]] std::vector<std::string> shortNames(const std::vector<AnalysisPtr>& analyses,
                                                  const std::vector<std::string>& given = {});

/// The name of a run's network: that of its model, else of the model file; empty if unknown.
[[nodiscard]] std::string networkName(const Analysis& analysis);

}  // namespace dubito
