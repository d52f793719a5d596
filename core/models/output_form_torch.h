// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/models/model.h"
#include "core/models/probe_torch.h"

namespace dubito {

/// Meaning of the rows that a network returns.
struct OutputForm {
  OutputKind kind = OutputKind::kLogits;
  /// The graph was changed to return two columns instead of one.
  bool one_output = false;
  /// The graph was changed to return probabilities, not per cent.
  bool was_percent = false;
  /// Findings on the meaning of the rows; every run repeats them in its notes.
  std::vector<std::string> notes;
};

/// Whether all rows [N, K] are distributions over classes: not negative, and summing to 1 within
/// 1e-3.
[[nodiscard]] bool areDistributions(const at::Tensor& rows);

/// Determines the meaning of the rows from the metadata, the last operator of the graph and the
/// rows of the probe. A network with a single output per item is changed to return two classes, and
/// one that returns per cent to return probabilities. Fails if rows are not a distribution over
/// classes: independent yes/no outputs and regression outputs.
[[nodiscard]] Expected<OutputForm> determineOutputForm(torch::jit::Graph& prepared,
                                                       const Probe& probe,
                                                       const ModelMetadata& metadata,
                                                       const std::string& path);

}  // namespace dubito
