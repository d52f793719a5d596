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
#include "core/models/program/network_file_torch.h"
#include "core/models/returned_tensors_torch.h"

namespace dubito {

/// Number of items in the probe batch.
constexpr std::int64_t kProbeItems = 8;

/// A network's output for a batch of synthetic items.
struct Probe {
  at::Tensor inputs;  ///< [8, ...], all different
  at::Tensor rows;    ///< [8, K]; [8, 1] or [8] if the network has one output per item
  std::vector<ReturnedTensor> returned;  ///< all returned tensors
  std::size_t used = 0;                  ///< position of `rows` in `returned`
  std::vector<std::int64_t> shape;       ///< shape of one item
  bool guessed = false;                  ///< the shape was found by trying common ones
  /// The metadata does not have the size of the images, and the network fails on any other.
  bool only_size = false;
  ItemsPerPass items_per_pass;  ///< fixed if the network runs on one batch size only
};

/// Inputs for running a prepared graph without dropout sites on `x`.
[[nodiscard]] std::vector<c10::IValue> deterministicInputs(const torch::jit::Module& module,
                                                           const at::Tensor& x);

/// Runs the deterministic graph on items of the size that the metadata declares or the file states;
/// else tries sizes that the first layer suggests, then common ones. If no batch size is stated,
/// tries those that the program may be fixed to. Fails if the network does not return one row of
/// class scores per item, returns several tensors that could be such rows, or ignores its input.
[[nodiscard]] Expected<Probe> probeNetwork(const torch::jit::Module& module,
                                           GraphRunner& deterministic,
                                           const ModelMetadata& metadata, const StatedInput& stated,
                                           const std::string& path);

/// Probabilities by which the audit compares passes. Scores that are so large on the probe that
/// their softmax is 0 and 1 are divided by one number, because such probabilities hide differences
/// that other inputs show.
[[nodiscard]] at::Tensor comparedProbabilities(const at::Tensor& rows, const Probe& probe,
                                               OutputKind output);

/// Number of probe items that are also run one by one: all, or three if items are as large as
/// photographs, because a pass then takes long.
[[nodiscard]] std::int64_t itemsToCompare(const Probe& probe);

/// Compares the results for single items with those for the same items in the probe batch. If
/// `has_memory`, every pass starts from a fresh copy of the module.
[[nodiscard]] BatchBehaviour checkBatchDependence(const torch::jit::Module& module,
                                                  GraphRunner& deterministic, const Probe& probe,
                                                  OutputKind output,
                                                  const std::vector<std::string>& batch_ops,
                                                  bool has_memory);

/// The numbers of items that a network runs on if it fails on a single one: two or more, else only
/// as many as the probe has.
[[nodiscard]] ItemsPerPass itemsThatRun(const torch::jit::Module& module, GraphRunner& unlimited,
                                        const Probe& probe, bool has_memory);

}  // namespace dubito
