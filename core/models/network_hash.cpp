// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/network_hash.h"

#include <cctype>
#include <string_view>

#include "core/kernels/number_hash.h"
#include "core/models/model_torch.h"

namespace dubito {
namespace {

/// Erases every `mark` with the digits behind it.
void eraseNumbered(std::string& text, std::string_view mark) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    std::size_t end = at + mark.size();
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) {
      ++end;
    }
    text.erase(at, end - at);
  }
}

/// The graph without what torch numbers in the order in which files are opened: types of a name
/// that another file has used ("__torch__.___torch_mangle_3.Net"), and warnings.
std::string withoutSerialNumbers(std::string graph) {
  eraseNumbered(graph, ".___torch_mangle_");
  eraseNumbered(graph, "warn_id=");
  return graph;
}

}  // namespace

std::string hashOfNetwork(const torch::jit::Module& module, const torch::jit::Graph& prepared) {
  NumberHash hash;
  hash.add(hashOfState(module));
  hash.add(withoutSerialNumbers(prepared.toString(/*print_source_locations=*/false)));
  return hash.hex();
}

const std::string& networkHash(const Model& model) {
  return model.impl().network_hash;
}

}  // namespace dubito
