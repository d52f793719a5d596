// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"

namespace dubito {

/// `given` evaluated with reviewed labels, see relabelled(). Its OOD parts stay as they are.
/// Blocking; for a worker thread. Errors of relabelled() and analyse(). Throws
/// std::invalid_argument for an analysis that has reviewed labels, and null pointers.
[[nodiscard]] Expected<AnalysisPtr> relabelledAnalysis(const AnalysisPtr& given,
                                                       const ReviewedLabelsPtr& reviewed,
                                                       RunContext& context);

}  // namespace dubito
