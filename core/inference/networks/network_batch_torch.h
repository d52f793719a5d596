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

/// The items of a batch as the network takes them; vectors are made of images where it takes
/// vectors of that size. Shares the batch's memory.
[[nodiscard]] at::Tensor networkInput(const Batch& batch, const Model& model);

/// The items on the device that runs the network, as a copy: networks may write into their input.
[[nodiscard]] inline at::Tensor ownCopy(const at::Tensor& x, c10::Device device) {
  return device.is_cpu() ? x.clone() : x.to(device);
}

/// What to tell a person when the network throws on items of this shape.
[[nodiscard]] tl::unexpected<Error> networkFailure(const Model& model, const at::Tensor& x,
                                                   const std::exception& exception);

/// Whether the network's rows, which belong to `items` items in turn, have one column a class;
/// kUnsupported if not.
[[nodiscard]] Status checkRows(const at::Tensor& rows, const Model& model, std::int64_t items);

/// The error of an item for which the network returned what is not finite.
[[nodiscard]] tl::unexpected<Error> notFinite(const Model& model, const Dataset& dataset,
                                              std::int64_t index);

/// Class probabilities [rows, K] in double from the network's rows, which belong to the items at
/// `indices` in turn; a logit of minus infinity is probability 0. Rows of another width, NaN, plus
/// infinity, rows of minus infinity alone and rows that are no distribution are errors that name
/// the item.
[[nodiscard]] Expected<at::Tensor> checkedProbabilities(const at::Tensor& rows, const Model& model,
                                                        const Dataset& dataset,
                                                        std::span<const std::int64_t> indices);

/// A copy of a contiguous tensor's elements as rows of an array.
[[nodiscard]] Array<double> toArray(const at::Tensor& values, std::vector<std::int64_t> shape);

}  // namespace dubito
