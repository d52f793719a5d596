// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/kernels/logit_gaussians.h"
#include "core/methods/method_data.h"

namespace dubito::study {

/// Dataset specifications for a study: the training items of the network, and other items on which
/// the prior is chosen.
struct Sets {
  std::string fit;
  std::string calibration;
};

/// Fits a posterior on sets.fit and chooses its prior on sets.calibration.
[[nodiscard]] Expected<LaplaceOptions> fitted(const Model& model, const LaplaceOptions& method,
                                              const Sets& sets, RunContext& context);

/// Receives the logit Gaussians of one batch, with ids and labels of its items.
using TakeLabelled =
    std::function<void(const LogitGaussians& gaussians, std::span<const std::int64_t> ids,
                       std::span<const std::int64_t> labels)>;
/// Calls `take` with the logit Gaussians of `dataset`, batch by batch.
[[nodiscard]] Status forEachLabelledGaussian(const Model& model, const LaplaceOptions& method,
                                             const Dataset& dataset, RunContext& context,
                                             const TakeLabelled& take);

/// Writes lines to a text file, or to standard output if `path` is empty.
[[nodiscard]] Status writeLines(const std::string& path, const std::vector<std::string>& lines);

}  // namespace dubito::study
