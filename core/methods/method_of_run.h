// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/io/run.h"
#include "core/methods/method_options.h"
#include "core/methods/predict_options.h"

namespace dubito {

/// Whether the run was computed with this model's network and preprocessing.
[[nodiscard]] bool isRunOf(const RunMeta& meta, const Model& model);

/// The method of a run, ready to predict again with `model` without a new fit. It is restored from
/// the run's metadata and, for Laplace, from the posterior file. nullopt for ensembles, tuned runs
/// and predictions of other programs, if the network or the preprocessing differs, and if the
/// posterior is missing, unreadable or not the one of the run. The notes of a fit are restored only
/// for posteriors.
[[nodiscard]] std::optional<MethodOptions> methodOfRun(const RunMeta& meta, const Model& model,
                                                       const std::string& posterior_path = {});

}  // namespace dubito
