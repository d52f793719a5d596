// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/remedy.h"
#include "core/models/model.h"

namespace dubito {

/// "N, 10" for {items, 10}.
[[nodiscard]] std::string outputShapeText(std::span<const std::int64_t> shape, std::int64_t items);

/// The tensors that the network of an open model returns.
[[nodiscard]] std::vector<OutputOption> outputOptions(const ModelAudit& audit);

/// Describes an option and its position: "0 'logits' [N, 10]".
[[nodiscard]] std::string describeOption(std::size_t position, const OutputOption& option);

}  // namespace dubito
