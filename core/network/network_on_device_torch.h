// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <c10/core/Device.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <memory>

#include "core/base/expected.h"
#include "core/base/run_context.h"
#include "core/models/model.h"

namespace dubito {

/// A network ready to be edited and run on one device.
struct NetworkOnDevice {
  torch::jit::Module module;
  /// copy of the prepared graph, constants moved to the device
  std::shared_ptr<torch::jit::Graph> graph;
  c10::Device device = c10::Device(c10::kCPU);
  ItemsPerPass items_per_pass = {};
};

/// Prepares torch for passes through a network: with the threads of the context, and without the
/// profiling executor, which compiles again on the second call.
void setUpTorch(const RunContext& context);

/// Copies the model's graph and, for CUDA, its weights to `device`. Fails with the reason if the
/// device cannot be used, or if the network is quantised and the device is not a CPU.
[[nodiscard]] Expected<NetworkOnDevice> placeNetwork(const Model& model, const Device& device);

/// A copy of `network` for passes whose results are discarded: all state that the network writes is
/// copied, so that these passes do not affect later ones.
[[nodiscard]] NetworkOnDevice withCopiedState(const Model& model, const NetworkOnDevice& network);

}  // namespace dubito
