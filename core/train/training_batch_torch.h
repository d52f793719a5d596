// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include "core/train/mixup.h"

namespace dubito {

/// Inputs and targets of one training step, on the device.
struct TrainingBatch {
  at::Tensor inputs;
  at::Tensor labels;          ///< [B] int64
  at::Tensor partner_labels;  ///< of the items mixed in; undefined without mixup
  double share = 1.0;         ///< of `labels`; that of `partner_labels` is 1 - share
};

/// Mixes inputs and labels of `batch`.
void mix(TrainingBatch& batch, const Mixup& mixup);

/// Mean loss of the items: the cross entropy between logits [B, K] and the targets, which are
/// (1 - smoothing) one-hot + smoothing / K, mixed. Theory, section 15.
[[nodiscard]] at::Tensor targetLoss(const at::Tensor& logits, const TrainingBatch& batch,
                                    double smoothing);

/// The label of each item with the larger share.
[[nodiscard]] const at::Tensor& mainLabels(const TrainingBatch& batch);

}  // namespace dubito
