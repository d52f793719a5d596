// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <vector>

#include "core/models/graph_torch.h"
#include "core/models/model.h"
#include "core/models/prepare_torch.h"

namespace dubito {

/// See networkHash and weightsHash.
struct NetworkHashes {
  std::string network;
  std::string weights;
};

/// The part of a model that depends on torch.
struct Model::Impl {
  torch::jit::Module module;  ///< on the CPU, in eval mode
  PreparedNetwork network;    ///< its graph is copied before every edit
  NetworkHashes hashes;       ///< of both
};

/// The graph of the deterministic pass, without any site. Inputs and output are those of the
/// prepared graph.
[[nodiscard]] std::shared_ptr<torch::jit::Graph> deterministicGraph(torch::jit::Graph& prepared);

/// Class probabilities [N, K] in double on the CPU from the network's rows: exp(z - logsumexp(z))
/// for logits; probabilities are scaled to sum to 1 if their sum is within 1e-3 of it. Rows that
/// are not finite or not a distribution become NaN.
[[nodiscard]] at::Tensor probabilitiesOf(const at::Tensor& rows, OutputKind output);

/// Hash of the bytes of all parameters and buffers.
[[nodiscard]] std::uint64_t stateHash(const torch::jit::Module& module);

/// `state` is stateHash of the module as loaded.
[[nodiscard]] NetworkHashes computeNetworkHashes(std::uint64_t state,
                                                 const torch::jit::Module& module,
                                                 const torch::jit::Graph& prepared);

}  // namespace dubito
