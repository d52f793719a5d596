// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/models/model.h"
#include "core/models/returned_tensors_torch.h"

namespace dubito {

/// A network's program as one flat graph in inference: normalisation uses stored statistics,
/// nothing writes to buffers, and every dropout that can be used is a `dubito::keyed_dropout` node.
struct PreparedNetwork {
  /// Inputs: the module, x [N, ...], seed (int), items [M], draws [M]. One output, a tensor once
  /// one was chosen.
  std::shared_ptr<torch::jit::Graph> graph;
  std::vector<DropoutSite> sites;
  std::vector<NormLayer> norms;
  /// Operators that draw random numbers of their own in inference; where they run, results cannot
  /// be repeated.
  std::vector<std::string> random_ops;
  /// What the program writes that outlives a call, such as a counter of calls.
  std::vector<std::string> written_state;
  /// Operators that look at the whole batch, the suspected causes of dependence on batch mates.
  std::vector<std::string> batch_ops;
  /// Operators that lost their dropout when the network was exported.
  std::vector<std::string> without_dropout;
  /// Calls whose code is not in the graph, so that dropout inside them is not found.
  std::vector<std::string> hidden_code;
  std::string number_type;  ///< of the weights as stored, numberTypeOf
};

/// Graph inputs by position.
enum PreparedInput : std::size_t { kModuleInput, kNetInput, kSeedInput, kItemsInput, kDrawsInput };

/// Copies, flattens and edits forward's graph, which then returns the tensor at the end of `output`
/// alone; without steps what forward returns. Weights of half precision in `module` become float32.
/// `path` is named in errors: no forward, more inputs than one, no tensors in the output.
[[nodiscard]] Expected<PreparedNetwork> prepareNetwork(torch::jit::Module& module,
                                                       const std::string& path,
                                                       const std::vector<OutputStep>& output = {});

/// What prepareNetwork does with dropout: lists every site in execution order, replaces those that
/// can be used and switches off the others. Attention without a drop rate is added to
/// `without_dropout`.
[[nodiscard]] std::vector<DropoutSite> replaceDropout(torch::jit::Graph& graph,
                                                      const torch::jit::Module& module,
                                                      std::vector<std::string>& without_dropout);

/// What a scalar would be while the network trains or does not: constants, attributes, and what
/// operators and branches make of them.
[[nodiscard]] std::optional<c10::IValue> resolveWhile(bool training,
                                                      const torch::jit::Module& module,
                                                      const torch::jit::Value* value);

/// Whether the node is in a branch that is taken in training alone.
[[nodiscard]] bool runsInTrainingOnly(const torch::jit::Module& module,
                                      const torch::jit::Node* node);

/// Turns numbers, flags and texts that are attributes and never written into constants; all but
/// `training`.
void foldScalarAttributes(torch::jit::Graph& graph, const torch::jit::Module& module);

/// Transformer layers choose a fused operator without dropout where they do not train; takes that
/// choice away. Returns the fused operators that are there without a choice.
[[nodiscard]] std::vector<std::string> avoidFusedInference(torch::jit::Graph& graph);

/// Takes every branch of training whose results differ from the other branch's by keyed dropout
/// alone ("if self.training: x = dropout(x)").
void openTrainingBranches(torch::jit::Graph& graph, const torch::jit::Module& module);

/// What prepareNetwork does with normalisation: lists the layers and puts them in inference; those
/// that must use the batch's own statistics are added to `batch_ops`.
[[nodiscard]] std::vector<NormLayer> freezeNormalisation(torch::jit::Graph& graph,
                                                         const torch::jit::Module& module,
                                                         std::vector<std::string>& batch_ops);

/// "follows training", "always on", "always off", or "computed" for a flag of the graph.
[[nodiscard]] std::string modeOf(const torch::jit::Value* flag);

}  // namespace dubito
