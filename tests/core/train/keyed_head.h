// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/ATen.h>
#include <torch/csrc/jit/api/module.h>

#include <cstdint>
#include <vector>

#include "core/kernels/torch/keyed_dropout_torch.h"
#include "core/kernels/torch/keyed_random_torch.h"
#include "core/train/dropout_layers_torch.h"
#include "core/train/head/head_pass_torch.h"
#include "core/train/module_path_torch.h"

namespace dubito::test {

/// What autograd can follow of the dropout at `place`, number `number` of its network: the keyed
/// masks of the kernel, or, with learned rates, of the theory (section 4).
inline at::Tensor keyedDropped(const torch::jit::Module& network, const DropoutPlace& place,
                               std::int64_t number, const at::Tensor& x, const RowKeys& keys) {
  const auto [owner, name] = ownerOf(network, place.path);
  const torch::jit::Module dropout = owner.attr(name).toModule();
  const std::int64_t site = kTrainingSites + number;
  if (dropout.hasattr("logits")) {
    const at::Tensor logits = dropout.attr("logits").toTensor();
    const at::Tensor u =
        keyedRandom(x, {"uniform", 0.0, 1.0}, keys.seed, keys.items, keys.draws, {site, 0, 0});
    const at::Tensor kept = at::sigmoid((logits + at::logit(u, 1e-7)) / -kConcreteTemperature);
    return x * (kept / at::sigmoid(-logits));
  }
  return dropout.hasattr("p") ? keyedDropout(x, dropout.attr("p").toDouble(), keys.seed, keys.items,
                                             keys.draws, site)
                              : x;
}

/// The logits of a head in training for `features` [n, Q], as a graph.
inline at::Tensor keyedLogits(const torch::jit::Module& network,
                              const std::vector<DropoutPlace>& places, const at::Tensor& features,
                              const RowKeys& keys) {
  at::Tensor h = (features - attributeAt(network, "mean")) / attributeAt(network, "scale");
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto [linear, weight] = ownerOf(network, places[i].weight);
    h = at::linear(keyedDropped(network, places[i], static_cast<std::int64_t>(i), h, keys),
                   linear.attr(weight).toTensor(), linear.attr("bias").toTensor());
    h = i + 1 < places.size() ? at::relu(h) : h;
  }
  return h;
}

}  // namespace dubito::test
