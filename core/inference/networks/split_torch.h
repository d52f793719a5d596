// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <memory>
#include <vector>

namespace dubito {

/// A prepared graph cut before its first dropout site, so that what comes before runs once.
struct SplitNetwork {
  /// Inputs as the prepared graph's; outputs: the values that cross the cut. Null where the graph
  /// cannot be cut: then `suffix` is the whole graph.
  std::shared_ptr<torch::jit::Graph> prefix;
  /// Inputs as the prepared graph's, followed by the values that cross the cut.
  std::shared_ptr<torch::jit::Graph> suffix;
  /// For each value that crosses: whether it depends on the items.
  std::vector<bool> depends_on_items;
  /// Whether the suffix reads the items themselves.
  bool reads_items = true;
  /// Whether the suffix writes into values that cross, which then must be copied for every pass.
  bool writes_inputs = false;
};

/// Cuts before the first node of the outermost block that holds a keyed dropout; what follows it in
/// the program but does not depend on any mask goes before the cut as well.
[[nodiscard]] SplitNetwork splitAtFirstSite(torch::jit::Graph& graph);

}  // namespace dubito
