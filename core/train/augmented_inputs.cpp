// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>

#include <algorithm>
#include <vector>

#include "core/train/augment.h"
#include "core/train/augmented_inputs_torch.h"

namespace dubito {
namespace {

constexpr std::int64_t kItemsPerTask = 16;

}  // namespace

at::Tensor augmentedInputs(const Batch& batch, std::span<const std::int64_t> rows,
                           const TrainOptions& options, std::int64_t epoch,
                           const RunContext& context) {
  const std::vector<std::int64_t>& shape = batch.inputs.shape();
  const AugmentationOptions& changes = options.augmentation;
  if (shape.size() != 4 || (options.shift == 0 && !changes.needsImages())) {
    return at::from_blob(const_cast<float*>(batch.inputs.data()), shape, at::kFloat);
  }
  at::Tensor inputs = at::empty(shape, at::kFloat);
  const std::int64_t image_size = batch.inputs.rowSize();
  float* const to = inputs.mutable_data_ptr<float>();
  const auto augment = [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> image(static_cast<std::size_t>(image_size));
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t row = rows[static_cast<std::size_t>(i)];
      const float* changed = batch.inputs.data() + i * image_size;
      if (changes.rotation > 0.0) {
        rotateImage(changed, image.data(), shape[1], shape[2], shape[3],
                    randomAngle(context.seed, epoch, row, changes.rotation));
        changed = image.data();
      }
      if (changes.flip && randomFlip(context.seed, epoch, row)) {
        if (changed != image.data()) {
          std::copy_n(changed, image_size, image.data());
          changed = image.data();
        }
        flipImage(image.data(), shape[1], shape[2], shape[3]);
      }
      shiftImage(changed, to + i * image_size, shape[1], shape[2], shape[3],
                 randomShift(context.seed, epoch, row, options.shift));
    }
  };
  context.parallelFor(static_cast<std::int64_t>(rows.size()), kItemsPerTask, augment);
  return inputs;
}

}  // namespace dubito
