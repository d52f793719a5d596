// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>

#include "core/train/training_batch_torch.h"

namespace dubito {

void mix(TrainingBatch& batch, const Mixup& mixup) {
  const at::Tensor partners = at::tensor(mixup.partners, at::kLong).to(batch.labels.device());
  batch.share = mixup.share;
  batch.partner_labels = batch.labels.index_select(0, partners);
  batch.inputs =
      mixup.share * batch.inputs + (1.0 - mixup.share) * batch.inputs.index_select(0, partners);
}

at::Tensor targetLoss(const at::Tensor& logits, const TrainingBatch& batch, double smoothing) {
  const auto loss = [&](const at::Tensor& labels) {
    return at::cross_entropy_loss(logits, labels, /*weight=*/{}, at::Reduction::Mean,
                                  /*ignore_index=*/-100, smoothing);
  };
  if (!batch.partner_labels.defined()) {
    return loss(batch.labels);
  }
  return batch.share * loss(batch.labels) + (1.0 - batch.share) * loss(batch.partner_labels);
}

const at::Tensor& mainLabels(const TrainingBatch& batch) {
  return batch.share < 0.5 ? batch.partner_labels : batch.labels;
}

}  // namespace dubito
