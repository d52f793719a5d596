// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/train/head/softmax_regression.h"

namespace dubito {

/// Predictions for items by fits that have not seen them, with one penalty.
struct HeldOutTrial {
  double l2 = 0.0;
  std::vector<double> loss = {};            ///< [N] cross entropy in nats
  std::vector<std::uint8_t> is_right = {};  ///< [N], 1: the predicted class is the label

  [[nodiscard]] double totalLoss() const;
};

/// Stage of the progress of heldOutTrials, in fits.
inline constexpr const char* kTrialsStage = "holding labels out";

/// The part of each item, [N] in [0, folds): every class is spread evenly over the parts; chosen by
/// seed and id, whatever the order of the items.
[[nodiscard]] std::vector<std::int64_t> heldOutParts(std::span<const std::int64_t> labels,
                                                     std::span<const std::int64_t> ids,
                                                     std::int64_t folds, std::uint64_t seed);

/// Holds out each part in turn and fits the others (fitSoftmaxRegression) with one of `penalties`
/// after the other, until one is worse than the one before. They are those of a fit of all items:
/// with fewer items the same prior is a larger penalty. Returns one trial per penalty that was
/// tried. kCancelled.
[[nodiscard]] Expected<std::vector<HeldOutTrial>> heldOutTrials(
    const LabelledFeatures& items, std::span<const std::int64_t> part_of, std::int64_t folds,
    std::span<const double> penalties, const SoftmaxRegressionOptions& options,
    RunContext& context);

/// The trial with the smallest loss over all items but those of `except_part` (-1: over all); of
/// equal ones the first.
[[nodiscard]] std::size_t bestTrial(std::span<const HeldOutTrial> trials,
                                    std::span<const std::int64_t> part_of,
                                    std::int64_t except_part = -1);

/// Items that are right if each part is predicted with the penalty that is best for the others, so
/// that no label helps to choose the penalty that it is judged with.
[[nodiscard]] std::int64_t heldOutRight(std::span<const HeldOutTrial> trials,
                                        std::span<const std::int64_t> part_of, std::int64_t folds);

/// Penalties to choose from, strongest first, for features of any size: ten priors under which the
/// logits of an item have standard deviations from 1 to 300.
[[nodiscard]] std::vector<double> candidatePenalties(const LabelledFeatures& items, bool has_bias);

}  // namespace dubito
