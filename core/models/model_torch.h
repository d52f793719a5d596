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

/// The hashes returned by networkHash and weightsHash.
struct NetworkHashes {
  std::string network;
  std::string weights;
};

/// The part of a model that depends on torch.
struct Model::Impl {
  torch::jit::Module module;  ///< on the CPU, in eval mode
  PreparedNetwork network;    ///< never edited: passes edit a copy of its graph
  NetworkHashes hashes;
};

/// The graph for deterministic passes: a copy of `prepared` without dropout sites, with the same
/// inputs and output.
[[nodiscard]] std::shared_ptr<torch::jit::Graph> deterministicGraph(torch::jit::Graph& prepared);

/// Class probabilities [N, K], in double on the CPU, of the rows that a network returned: exp(z -
/// logsumexp(z)) for logits. Probabilities are scaled to sum to 1 if their sum is within 1e-3 of
/// it. Rows that are not finite or not a distribution become NaN.
[[nodiscard]] at::Tensor probabilitiesOf(const at::Tensor& rows, OutputKind output);

/// Hash of the bytes of all parameters and buffers.
[[nodiscard]] std::uint64_t stateHash(const torch::jit::Module& module);

/// Computes both hashes; `state` must be stateHash of the module as loaded.
[[nodiscard]] NetworkHashes computeNetworkHashes(std::uint64_t state,
                                                 const torch::jit::Module& module,
                                                 const torch::jit::Graph& prepared);

}  // namespace dubito
