// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/expected.h"
#include "core/data/images/preprocessing.h"
#include "core/data/items/dataset.h"
#include "core/models/model.h"

namespace dubito {

/// The items of a batch as network input; images are flattened if the network takes vectors of that
/// size. Shares the batch's memory.
[[nodiscard]] at::Tensor networkInput(const Batch& batch, const Model& model);

/// A copy of the items, on the CPU or already on the network's device, for one pass on that device.
/// A copy, because results may share its memory ("return x") and outlive the batch.
[[nodiscard]] inline at::Tensor deviceCopy(const at::Tensor& x, c10::Device device) {
  return x.device().type() == device.type() ? x.clone() : x.to(device);
}

/// The error to return if the network throws `exception` on the items `x`.
[[nodiscard]] tl::unexpected<Error> networkFailure(const Model& model, const at::Tensor& x,
                                                   const std::exception& exception);

/// kUnsupported unless the network's output `rows` have one column per class and their number is a
/// multiple of `items`.
[[nodiscard]] Status checkRows(const at::Tensor& rows, const Model& model, std::int64_t items);

/// The error for an item with non-finite network output.
[[nodiscard]] tl::unexpected<Error> nonFiniteError(const Model& model, const Dataset& dataset,
                                                   std::int64_t index);

/// Class probabilities [rows, K] in double from the network's output rows. Row i belongs to the
/// item at indices[i % indices.size()]. A logit of minus infinity becomes probability 0.
/// kUnsupported as in checkRows; errors that name the item if its row contains NaN or plus
/// infinity, contains only minus infinity, or is not a distribution.
[[nodiscard]] Expected<at::Tensor> checkedProbabilities(const at::Tensor& rows, const Model& model,
                                                        const Dataset& dataset,
                                                        std::span<const std::int64_t> indices);

/// Copies the elements of a contiguous tensor into an array.
[[nodiscard]] Array<double> toArray(const at::Tensor& values, std::vector<std::int64_t> shape);

}  // namespace dubito
