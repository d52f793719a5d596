// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/expected.h"
#include "core/metrics/evaluation.h"

namespace dubito::cli {

/// Writes metrics.csv, reliability.csv, roc.csv, precision_recall.csv and histogram_SCORE.csv into
/// `folder`, which is created if missing.
[[nodiscard]] Status writeEvaluationCsv(const Evaluation& evaluation, const Overview& overview,
                                        const std::string& folder);

}  // namespace dubito::cli
