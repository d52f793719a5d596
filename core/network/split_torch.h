// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/ir/ir.h>

#include <memory>
#include <vector>

namespace dubito {

/// A prepared graph cut before its first dropout site, so that the part before it runs only once.
struct SplitNetwork {
  /// Takes the inputs of the prepared graph and returns the values that cross the cut. Null if the
  /// graph cannot be cut; `suffix` is then the whole graph.
  std::shared_ptr<torch::jit::Graph> prefix;
  /// Takes the inputs of the prepared graph, followed by the values that cross the cut.
  std::shared_ptr<torch::jit::Graph> suffix;
  /// For each value that crosses the cut: whether it depends on the items.
  std::vector<bool> depends_on_items;
  /// Whether the suffix reads the items themselves.
  bool reads_items = true;
  /// Whether the suffix writes into crossing values, which then must be copied for every pass.
  bool writes_inputs = false;
};

/// Cuts before the first outermost node that contains a keyed dropout. Later nodes that do not
/// depend on any mask are moved before the cut as well.
[[nodiscard]] SplitNetwork splitAtFirstSite(torch::jit::Graph& graph);

}  // namespace dubito
