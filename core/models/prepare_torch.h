// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/models/items_per_pass.h"
#include "core/models/model.h"
#include "core/models/returned_tensors_torch.h"

namespace dubito {

/// A network's program as one flat inference graph: normalisation uses stored statistics, nothing
/// writes to buffers or to the input, and everything that may draw is a keyed node (KeyedNode).
struct PreparedNetwork {
  /// Inputs: the module, x [N, ...], seed (int), items [M], draws [M]. One output: what forward
  /// returns, or a single tensor after one has been chosen.
  std::shared_ptr<torch::jit::Graph> graph;
  std::vector<DropoutSite> sites;
  std::vector<NormLayer> norms;
  /// Operators that draw their own random numbers in inference; if they run, results are not
  /// repeatable unless their sites are on.
  std::vector<std::string> random_ops;
  /// State that the program writes and that outlives a call, such as a call counter.
  std::vector<std::string> written_state;
  /// Operators that use the whole batch; they are the suspected causes if the results for an item
  /// depend on other items.
  std::vector<std::string> batch_ops;
  /// Operators that lost their dropout when the network was exported.
  std::vector<std::string> without_dropout;
  /// Calls whose code is not in the graph, so that dropout inside them cannot be found.
  std::vector<std::string> hidden_code;
  /// Operators that are not random and differ in training; they stay as in inference.
  std::vector<std::string> changed_by_training;
  std::string number_type;   ///< type of the stored weights, see parameterTypeOf
  bool is_promoted = false;  ///< from half precision to float32
  /// The lower precision ("bfloat16") in which the program of a wider network computes parts of it;
  /// empty if it does not.
  std::string lower_precision;
  /// Numbers of items that the graph takes; found by running it.
  ItemsPerPass items_per_pass;
  /// GPUs that the program names ("cuda:0"); the graph has the CPU in their place.
  std::vector<std::string> named_devices;
};

/// Graph inputs by position.
enum PreparedInput : std::size_t { kModuleInput, kNetInput, kSeedInput, kItemsInput, kDrawsInput };

/// Copies, flattens and edits the graph of forward. The prepared graph returns only the tensor that
/// the steps `output` lead to; without steps, it returns what forward returns. Converts
/// a half-precision network in `module` to float32. `earlier`: of the same module, if it has been
/// prepared before, because its number type is no longer that of the file. Fails, naming `path`, if
/// there is no forward, or if it has no input, an input that is no tensor, more than one input, or
/// no tensors in its output.
[[nodiscard]] Expected<PreparedNetwork> prepareNetwork(torch::jit::Module& module,
                                                       const std::string& path,
                                                       const std::vector<OutputStep>& output = {},
                                                       const PreparedNetwork* earlier = nullptr);

/// If the program may write into its input ("x -= mean", also through a view), lets it write into a
/// copy, so that no pass changes what another pass, or another part of a computation, reads.
void workOnCopyOfInput(const std::shared_ptr<torch::jit::Graph>& graph);

/// The part of prepareNetwork that handles dropout: lists every site in execution order, replaces
/// the usable ones and switches off the others. Attention without a drop rate is added to
/// `without_dropout`.
[[nodiscard]] std::vector<DropoutSite> replaceDropout(torch::jit::Graph& graph,
                                                      const torch::jit::Module& module,
                                                      std::vector<std::string>& without_dropout);

/// The value of a scalar in training or in inference, computed from constants and attributes
/// through operators and branches; nullopt if it cannot be computed.
[[nodiscard]] std::optional<c10::IValue> resolveInMode(bool training,
                                                       const torch::jit::Module& module,
                                                       const torch::jit::Value* value);

/// Whether the node is in a branch that only training may take.
[[nodiscard]] bool runsOnlyInTraining(const torch::jit::Module& module,
                                      const torch::jit::Node* node);

/// Replaces attributes that contain a number, flag or string and are never written, except
/// `training`, with constants.
void foldScalarAttributes(torch::jit::Graph& graph, const torch::jit::Module& module);

/// Disables the choice by which transformer layers use a fused operator without dropout in
/// inference. Returns the fused operators that are used unconditionally.
[[nodiscard]] std::vector<std::string> avoidFusedInference(torch::jit::Graph& graph);

/// Makes every branch on the training mode take its training side, if its results differ from those
/// of the other side only by keyed dropout ("if self.training: x = dropout(x)").
void takeTrainingBranches(torch::jit::Graph& graph, const torch::jit::Module& module);

/// The part of prepareNetwork that handles everything else that training mode draws: noise, masks
/// of the network's own, dropout in branches that also do other things. Appends a site for the
/// operators of each branch. Usable ones draw by key while their site is on, and branches and
/// scalars on the training mode that belong to them follow (insertDraws).
void keyTrainingRandomness(torch::jit::Graph& graph, const torch::jit::Module& module,
                           std::vector<DropoutSite>& sites);

/// The part of prepareNetwork that handles normalisation: lists the layers and switches them to
/// inference. Layers that need the statistics of the batch itself are added to `batch_ops`.
[[nodiscard]] std::vector<NormLayer> freezeNormalisation(torch::jit::Graph& graph,
                                                         const torch::jit::Module& module,
                                                         std::vector<std::string>& batch_ops);

/// Computes a last convolution of 1 x 1 whose maps have a single element, as after global pooling,
/// as the linear layer that it is: findHead() then finds it.
void makePooledHeadLinear(torch::jit::Graph& graph, const torch::jit::Module& module);

/// "follows training", "always on", "always off", or "computed" if the graph computes the flag.
[[nodiscard]] std::string modeOf(const torch::jit::Value* flag);

}  // namespace dubito
