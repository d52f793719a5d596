// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/inference/predict.h"
#include "core/io/run.h"

namespace dubito {

/// The method that a run was made with, ready to predict again without a fit: from its metadata,
/// and for a Laplace approximation from the file of the posterior. Its fit keeps no notes. Nothing
/// for an ensemble, a tuned run and predictions of other programs, nor where the posterior is not
/// given, cannot be read or is another one.
[[nodiscard]] std::optional<MethodOptions> methodOfRun(const RunMeta& meta,
                                                       const std::string& posterior_path = {});

}  // namespace dubito
