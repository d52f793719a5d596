// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <c10/core/Device.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <memory>

#include "core/base/expected.h"
#include "core/models/model.h"

namespace dubito {

/// A network ready to be edited and run on one device.
struct NetworkOnDevice {
  torch::jit::Module module;
  std::shared_ptr<torch::jit::Graph> graph;  ///< a copy of the prepared graph, constants moved
  c10::Device device = c10::Device(c10::kCPU);
};

/// Copies the model's graph and, for CUDA, its weights to `device`. Fails with the reason where the
/// device cannot be used, or where the network is quantised, which only processors run.
[[nodiscard]] Expected<NetworkOnDevice> placeNetwork(const Model& model, const Device& device);

/// The same for passes that are no part of a result: with a copy of what the network writes, if it
/// writes anything.
[[nodiscard]] NetworkOnDevice withOwnState(const Model& model, const NetworkOnDevice& network);

}  // namespace dubito
