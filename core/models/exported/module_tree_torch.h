// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>

#include <map>
#include <string>
#include <vector>

namespace dubito {

/// A network's weights as attributes of nested modules, so that layers have the names that they
/// have in Python: the weight "features.0.weight" is the attribute `weight` of the module `0` in
/// the module `features`. Names of a file are only used after everything but letters, digits and
/// underscores has been replaced.
class ModuleTree {
 public:
  ModuleTree();

  /// Adds a parameter or buffer. A name that is taken gets underscores at its end. Returns the
  /// attributes that lead to it from the network.
  std::vector<std::string> add(const std::string& name, const at::Tensor& tensor,
                               bool is_parameter);
  [[nodiscard]] const torch::jit::Module& network() const { return network_; }

 private:
  torch::jit::Module network_;
  std::map<std::string, torch::jit::Module> modules_;  ///< by path; the network itself is ""
};

/// A path of modules ("layers.0.mlp") without characters that names in programs cannot have.
[[nodiscard]] std::string plainPath(const std::string& path);

}  // namespace dubito
