// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/models/graph_torch.h"
#include "core/models/model.h"
#include "core/models/prepare_torch.h"
#include "core/models/returned_tensors_torch.h"

namespace dubito {

/// Items in the probe batch.
constexpr std::int64_t kProbeItems = 8;

/// A network's answer to a batch of made-up items.
struct Probe {
  at::Tensor inputs;  ///< [8, ...], all different
  at::Tensor rows;    ///< [8, K]; [8, 1] or [8] of a network with one output per item
  std::vector<ReturnedTensor> returned;  ///< all that the network returned
  std::size_t used = 0;                  ///< the one of them that `rows` are
  std::vector<std::int64_t> shape;       ///< of one item
  bool guessed = false;                  ///< the shape was found by trying
};

/// Inputs of a prepared graph without any site.
[[nodiscard]] std::vector<c10::IValue> deterministicInputs(const torch::jit::Module& module,
                                                           const at::Tensor& x);

/// Runs the deterministic graph on items of the size that the metadata declares, else of the sizes
/// that the first layer suggests and common ones. Refuses a network that does not return one row of
/// class scores for each item, or several tensors that could be such rows.
[[nodiscard]] Expected<Probe> probeNetwork(const torch::jit::Module& module,
                                           GraphRunner& deterministic,
                                           const ModelMetadata& metadata, const std::string& path);

/// How many items of the probe are looked at one by one: all, but three where an item is as large
/// as a photograph and its pass takes long.
[[nodiscard]] std::int64_t itemsToCompare(const Probe& probe);

/// Compares items alone with the same items in the probe batch. With `has_memory` every pass starts
/// from the module as it is.
[[nodiscard]] BatchBehaviour compareWithBatchMates(const torch::jit::Module& module,
                                                   GraphRunner& deterministic, const Probe& probe,
                                                   OutputKind output,
                                                   const std::vector<std::string>& batch_ops,
                                                   bool has_memory);

}  // namespace dubito
