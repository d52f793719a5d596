// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/inference/options/method_options.h"
#include "core/inference/options/predict_options.h"
#include "core/io/run.h"

namespace dubito {

/// Whether the run was made with this network and the preprocessing of this model.
[[nodiscard]] bool isRunOf(const RunMeta& meta, const Model& model);

/// The method that a run was made with, ready to predict again with `model` and without a fit: from
/// its metadata, and for a Laplace approximation from the file of the posterior. Nothing for an
/// ensemble, a tuned run and predictions of other programs, nor where the run is of another network
/// or other preprocessing, or the posterior is not there, cannot be read or is another one. Of the
/// notes of a fit only those of a posterior come back.
[[nodiscard]] std::optional<MethodOptions> methodOfRun(const RunMeta& meta, const Model& model,
                                                       const std::string& posterior_path = {});

}  // namespace dubito
