// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <memory>

namespace dubito {

/// Writes the conversions of `with torch.autocast(...)` blocks into an inlined graph, as torch does
/// before it runs a program: without them the blocks would have no effect.
void writeOutAutocast(std::shared_ptr<torch::jit::Graph>& graph);

}  // namespace dubito
