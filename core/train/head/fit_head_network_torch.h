// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>

#include "core/train/head/fit_head_network.h"

namespace dubito {

struct FittedHeadNetwork::Impl {
  torch::jit::Module module;  ///< on the CPU, in eval mode, with ordinary dropout layers
};

}  // namespace dubito
