// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>

#include <string>

#include "core/base/expected.h"
#include "core/models/model.h"

namespace dubito {

/// kUnsupported, with the reason, if the features of `model` cannot be given to another head: its
/// last linear layer is not found, another term is added to it, or it has a single output for two
/// classes.
[[nodiscard]] Status checkBackbone(const Model& model);

/// The TorchScript archive of a network that computes the features of `model` in inference mode,
/// without dropout and with stored statistics, and gives them to `head`, whose logits take the
/// place of those of the last linear layer. `metadata` (JSON) becomes its metadata.
[[nodiscard]] Expected<std::string> archiveWithHeadNetwork(const Model& model,
                                                           const torch::jit::Module& head,
                                                           const std::string& metadata);

}  // namespace dubito
