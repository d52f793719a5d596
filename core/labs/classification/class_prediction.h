// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <span>
#include <string>

#include "core/kernels/logit_gaussians.h"
#include "core/labs/classification/class_method.h"

namespace dubito {

/// Prediction of a single function with `logits` [M, K]: no split into aleatoric and epistemic.
[[nodiscard]] ClassPrediction predictionOfLogits(const Array<double>& logits);

/// Mean over functions with `logits` [T, M, K], T >= 1.
[[nodiscard]] ClassPrediction predictionOfFunctions(const Array<double>& logits,
                                                    const RunContext& context);

/// Prediction from Gaussians over the logits by the link called `link` of allLinks(). Sampling
/// draws the same `samples` noise vectors for every input, so that maps are smooth and an input's
/// result does not depend on the others.
[[nodiscard]] ClassPrediction predictionOfGaussians(const LogitGaussians& gaussians,
                                                    const std::string& link, std::int64_t samples,
                                                    std::uint64_t seed, const RunContext& context);

/// `values` in float32, as links take them.
[[nodiscard]] Array<float> toFloat(const Array<double>& values);

/// Option of methods that give Gaussians over the logits: "auto" or the name of a link.
[[nodiscard]] Field linkField(std::string& link);

/// Joins the predictions of `predict` for parts of `inputs` [M, 2], so that memory stays bounded.
/// Passes on its errors; kCancelled if cancelled.
[[nodiscard]] Expected<ClassPrediction> predictInParts(
    std::span<const double> inputs, std::int64_t classes, RunContext& context,
    const std::function<Expected<ClassPrediction>(std::span<const double> part)>& predict);

}  // namespace dubito
