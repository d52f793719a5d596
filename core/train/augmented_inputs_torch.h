// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>

#include "core/base/run_context.h"
#include "core/data/images/preprocessing.h"
#include "core/train/train.h"

namespace dubito {

/// The inputs of a batch on the CPU, with images rotated, mirrored and shifted as `options` say,
/// each by (context.seed, epoch, row); `rows` are the batch's rows in the training set. Vectors
/// stay unchanged. May share the batch's memory.
[[nodiscard]] at::Tensor augmentedInputs(const Batch& batch, std::span<const std::int64_t> rows,
                                         const TrainOptions& options, std::int64_t epoch,
                                         const RunContext& context);

}  // namespace dubito
