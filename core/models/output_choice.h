// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/models/model.h"

namespace dubito {

/// One of several tensors that a network returns, for the user to choose from.
struct OutputOption {
  std::string name;            ///< see OutputTensor::name
  std::string shape;           ///< e.g. "N, 10", where N is the batch size
  bool can_be_scores = false;  ///< whether the shape is [N, classes], as that of class scores
};

/// "N, 10" for {items, 10}.
[[nodiscard]] std::string outputShapeText(std::span<const std::int64_t> shape, std::int64_t items);

/// The tensors that the network of an open model returns.
[[nodiscard]] std::vector<OutputOption> outputOptions(const ModelAudit& audit);

/// The text for Error::context that outputOptionsFromError reads.
[[nodiscard]] std::string outputOptionsContext(const std::vector<OutputOption>& options);

/// The output tensors listed in an error of loadModel that could not tell which one contains the
/// class scores; empty for all other errors.
[[nodiscard]] std::vector<OutputOption> outputOptionsFromError(const Error& error);

/// Describes an option and its position: "0 'logits' [N, 10]".
[[nodiscard]] std::string describeOption(std::size_t position, const OutputOption& option);

}  // namespace dubito
