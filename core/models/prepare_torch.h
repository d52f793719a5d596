// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <memory>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/models/model.h"

namespace dubito {

/// A network's program as one flat graph in inference: normalisation uses stored statistics,
/// nothing writes to buffers, and every dropout that can be used is a `dubito::keyed_dropout` node.
struct PreparedNetwork {
  /// Inputs: the module, x [N, ...], seed (int), items [M], draws [M]. One output.
  std::shared_ptr<torch::jit::Graph> graph;
  std::vector<DropoutSite> sites;
  std::vector<NormLayer> norms;
  /// Operators that draw random numbers of their own; their results cannot be repeated.
  std::vector<std::string> random_ops;
  /// Operators that look at the whole batch, the suspected causes of dependence on batch mates.
  std::vector<std::string> batch_ops;
};

/// Graph inputs by position.
enum PreparedInput : std::size_t { kModuleInput, kNetInput, kSeedInput, kItemsInput, kDrawsInput };

/// Copies, flattens and edits forward's graph. `path` is named in errors: no forward, more inputs
/// than one, an output that is not one tensor.
[[nodiscard]] Expected<PreparedNetwork> prepareNetwork(const torch::jit::Module& module,
                                                       const std::string& path);

/// What prepareNetwork does with dropout: lists every site in execution order, replaces those that
/// can be used and switches off the others.
[[nodiscard]] std::vector<DropoutSite> replaceDropout(torch::jit::Graph& graph,
                                                      const torch::jit::Module& module);

/// What prepareNetwork does with normalisation: lists the layers and puts them in inference; those
/// that must use the batch's own statistics are added to `batch_ops`.
[[nodiscard]] std::vector<NormLayer> freezeNormalisation(torch::jit::Graph& graph,
                                                         const torch::jit::Module& module,
                                                         std::vector<std::string>& batch_ops);

/// "follows training", "always on", "always off", or "computed" for a flag of the graph.
[[nodiscard]] std::string modeOf(const torch::jit::Value* flag);

}  // namespace dubito
