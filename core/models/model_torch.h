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

/// What a model keeps of torch.
struct Model::Impl {
  torch::jit::Module module;  ///< on the processor, in eval mode
  PreparedNetwork network;    ///< its graph is copied before every edit
  NetworkHashes hashes;       ///< of both
};

/// The deterministic pass: every site out. Inputs and output as the prepared graph's.
[[nodiscard]] std::shared_ptr<torch::jit::Graph> deterministicGraph(torch::jit::Graph& prepared);

/// Class probabilities [N, K] in double on the processor from the network's rows: exp(z -
/// logsumexp(z)) of logits; probabilities as they are, scaled to sum to 1 where their sum is within
/// 1e-3 of it. Rows that are not finite or no distribution come out as NaN.
[[nodiscard]] at::Tensor probabilitiesOf(const at::Tensor& rows, OutputKind output);

/// Hash over the bytes of all parameters and buffers.
[[nodiscard]] std::uint64_t hashOfState(const torch::jit::Module& module);

/// `state` is hashOfState of the module as it was loaded.
[[nodiscard]] NetworkHashes hashesOfNetwork(std::uint64_t state, const torch::jit::Module& module,
                                            const torch::jit::Graph& prepared);

}  // namespace dubito
