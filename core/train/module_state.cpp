// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/core/Tensor.h>

#include "core/train/module_state_torch.h"

namespace dubito {

using torch::jit::Module;

ModuleState stateOf(const Module& module) {
  ModuleState state;
  for (const auto& parameter : module.named_parameters()) {
    state.emplace(parameter.name, parameter.value.detach().cpu().clone());
  }
  for (const auto& buffer : module.named_buffers()) {
    state.emplace(buffer.name, buffer.value.detach().cpu().clone());
  }
  return state;
}

void loadState(const ModuleState& state, const Module& module) {
  const at::NoGradGuard no_gradients;
  const auto load = [&state](const std::string& name, const at::Tensor& own) {
    if (const auto stored = state.find(name); stored != state.end()) {
      own.copy_(stored->second);
    }
  };
  for (const auto& parameter : module.named_parameters()) {
    load(parameter.name, parameter.value);
  }
  for (const auto& buffer : module.named_buffers()) {
    load(buffer.name, buffer.value);
  }
}

}  // namespace dubito
