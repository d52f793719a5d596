// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/module_path_torch.h"

namespace dubito {

using torch::jit::Module;

std::pair<Module, std::string> ownerOf(Module module, const std::string& path) {
  std::size_t begin = 0;
  for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', begin)) {
    module = module.attr(path.substr(begin, dot - begin)).toModule();
    begin = dot + 1;
  }
  return {module, path.substr(begin)};
}

at::Tensor attributeAt(const Module& module, const std::string& path) {
  const auto [owner, name] = ownerOf(module, path);
  return owner.attr(name).toTensor();
}

}  // namespace dubito
