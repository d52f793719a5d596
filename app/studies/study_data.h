// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/inference/fitting/method_data.h"
#include "core/kernels/logit_gaussians.h"

namespace dubito::study {

/// Datasets for a study: training items of the network, and other items to choose the prior on.
struct Sets {
  std::string fit;
  std::string calibration;
};

/// A posterior fitted on sets.fit, with its prior chosen on sets.calibration.
[[nodiscard]] Expected<LaplaceOptions> fitted(const Model& model, const LaplaceOptions& method,
                                              const Sets& sets, RunContext& context);

/// Receives the logit Gaussians of a dataset batch by batch, with ids and labels of the items.
using TakeLabelled =
    std::function<void(const LogitGaussians& gaussians, std::span<const std::int64_t> ids,
                       std::span<const std::int64_t> labels)>;
[[nodiscard]] Status eachLabelledGaussian(const Model& model, const LaplaceOptions& method,
                                          const Dataset& dataset, RunContext& context,
                                          const TakeLabelled& take);

/// Writes lines to a text file, or to standard output if `path` is empty.
[[nodiscard]] Status writeLines(const std::string& path, const std::vector<std::string>& lines);

}  // namespace dubito::study
