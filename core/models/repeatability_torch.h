// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <string>
#include <vector>

#include "core/models/graph_torch.h"
#include "core/models/model.h"
#include "core/models/prepare_torch.h"
#include "core/models/probe_torch.h"

namespace dubito {

/// Operators of a graph that draw random numbers, according to torch's tags, except those switched
/// off by their arguments. Sorted.
[[nodiscard]] std::vector<std::string> randomOps(torch::jit::Graph& graph);

/// Whether passes are repeatable while all usable sites are on: nothing draws except by key.
[[nodiscard]] bool drawsByKeyOnly(const PreparedNetwork& network);

/// State that a graph writes and that outlives a call: names of attributes ("calls", "memory"), or
/// "a constant". Sorted.
[[nodiscard]] std::vector<std::string> writtenState(torch::jit::Graph& graph);
/// As above, for the nodes of a block.
[[nodiscard]] std::vector<std::string> writtenState(torch::jit::Block* block);

/// Why two passes over the same items give different results.
struct Repeatability {
  bool is_random = false;     ///< torch's generator was advanced and affected the results
  bool has_memory = false;    ///< the results depend on earlier calls
  double max_difference = 0;  ///< largest |dp| between two passes
  bool drew_numbers = false;  ///< torch's generator was advanced
};

/// The finding in a sentence; empty if two passes agree.
[[nodiscard]] std::string describe(const Repeatability& found, const PreparedNetwork& network);

/// Runs the probe batch repeatedly if the network has random operators or writes state. Leaves
/// torch's generator unchanged.
[[nodiscard]] Repeatability checkRepeatability(const torch::jit::Module& module,
                                               const PreparedNetwork& network,
                                               GraphRunner& deterministic, const Probe& probe,
                                               OutputKind output);

}  // namespace dubito
