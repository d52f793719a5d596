// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/models/model.h"
#include "core/models/probe_torch.h"

namespace dubito {

/// What the rows of a network are.
struct OutputForm {
  OutputKind kind = OutputKind::kLogits;
  /// The graph was changed to return two columns in place of one.
  bool one_output = false;
  /// What is suspected or was decided, for the readers of every run.
  std::vector<std::string> notes;
};

/// Finds out what the rows are, from the metadata, from the operator at the end of the graph and
/// from the rows of the probe. One output per item becomes two classes. Refuses what is no
/// distribution over classes: independent yes/no outputs and numbers of a regression.
[[nodiscard]] Expected<OutputForm> settleOutput(torch::jit::Graph& prepared, const Probe& probe,
                                                const ModelMetadata& metadata,
                                                const std::string& path);

/// The operator that computes the output, behind reshapes and conversions: "aten::sigmoid".
[[nodiscard]] std::string lastOperator(torch::jit::Graph& graph);

}  // namespace dubito
