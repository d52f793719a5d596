// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "core/models/head_torch.h"
#include "core/models/layer_nodes_torch.h"
#include "core/models/model_torch.h"
#include "core/models/program/network_file_torch.h"
#include "core/models/program/network_format.h"
#include "core/train/head/replaced_head_torch.h"
#include "core/train/module_path_torch.h"

namespace dubito {
namespace {

using torch::jit::Module;
using torch::jit::Node;
using torch::jit::Value;

tl::unexpected<Error> notReplaceable(const Model& model, const std::string& reason) {
  return fail(ErrorCode::kUnsupported,
              fmt::format("{}: its last layer cannot be replaced ({}); train the whole network in "
                          "another program",
                          model.path(), reason));
}

/// A stored tensor that a graph reads.
struct StoredTensor {
  std::string path;  ///< empty: it is a constant of the program
  bool is_transposed = false;
};

StoredTensor storedTensor(const Value* value) {
  StoredTensor stored;
  while (isReshapedWeight(value->node())) {
    const bool is_flattening = opName(value->node()) == "aten::flatten";
    stored.is_transposed = stored.is_transposed != !is_flattening;
    value = value->node()->input(0);
  }
  stored.path = attributePath(value).value_or("");
  return stored;
}

/// How many nodes of a graph use the attribute `path`.
std::int64_t usesOf(torch::jit::Graph& graph, const std::string& path) {
  std::int64_t uses = 0;
  forEachNode(graph.block(), [&](Node* node) {
    if (node->kind() == c10::prim::GetAttr && attributePath(node->output()) == path) {
      uses += static_cast<std::int64_t>(node->output()->uses().size());
    }
  });
  return uses;
}

/// Whether another parameter or buffer shares the memory of `tensor`.
bool isShared(const Module& module, const at::Tensor& tensor) {
  const auto same = [&tensor](const at::Tensor& other) {
    return other.defined() && other.numel() > 0 &&
           other.const_data_ptr() == tensor.const_data_ptr();
  };
  std::int64_t count = 0;
  for (const at::Tensor& parameter : module.parameters()) {
    count += same(parameter) ? 1 : 0;
  }
  for (const at::Tensor& buffer : module.buffers()) {
    count += same(buffer) ? 1 : 0;
  }
  return count > 1;
}

void setTensor(const Module& module, const std::string& path, at::Tensor values) {
  auto [owner, name] = ownerOf(module, path);
  const at::Tensor before = owner.attr(name).toTensor();
  values = values.to(before.scalar_type()).contiguous();
  values.set_requires_grad(before.requires_grad());
  owner.setattr(name, std::move(values));
}

}  // namespace

Expected<HeadPlace> headPlace(const Model& model) {
  const ModelAudit& audit = model.audit();
  if (!audit.head.found) {
    return notReplaceable(model, audit.head.reason);
  }
  if (audit.one_output) {
    return notReplaceable(model, "it has a single output for two classes");
  }
  if (audit.head.quantised) {
    return notReplaceable(model, "it is quantised");
  }
  if (!audit.head.added.empty()) {
    return notReplaceable(model, fmt::format("{} is added to it", audit.head.added));
  }
  const Module& module = model.impl().module;
  const std::shared_ptr<torch::jit::Graph> graph = deterministicGraph(*model.impl().network.graph);
  const HeadNode head = findHead(*graph, module);
  const auto layer = head.node == nullptr ? std::nullopt : linearLayer(module, head.logits->node());
  if (!layer) {
    return notReplaceable(model, head.reason.empty() ? "it was not found" : head.reason);
  }
  const StoredTensor weight = storedTensor(layer->weight.node->input(layer->weight.position));
  HeadPlace place{weight.path, {}, weight.is_transposed != layer->weight_is_transposed};
  if (head.bias.defined()) {
    place.bias = storedTensor(layer->bias.node->input(layer->bias.position)).path;
  }
  if (place.weight.empty() || (head.bias.defined() && place.bias.empty())) {
    return notReplaceable(model, "its weights are part of the program, as after torch.jit.freeze");
  }
  for (const std::string& path : {place.weight, place.bias}) {
    if (!path.empty() &&
        (usesOf(*graph, path) != 1 || isShared(module, attributeAt(module, path)))) {
      return notReplaceable(model, fmt::format("{} is used in several places", path));
    }
  }
  return place;
}

Expected<std::string> archiveWithHead(const Model& model, const HeadPlace& place,
                                      const LinearHead& head, const std::string& metadata) {
  // Read again, because loading has converted half-precision weights.
  const auto archive = formatOf(model.path()).read(model.path());
  if (!archive) {
    return failWith(archive);
  }
  Module module = archive->module;
  if (stateHash(module) != stateHash(model.impl().module) &&
      model.impl().network.number_type == "Float") {
    return fail(ErrorCode::kReadFailed,
                model.path() + ": has changed since it was opened; try again");
  }
  const at::Tensor weight =
      at::tensor(
          at::ArrayRef<double>(head.weight.data(), static_cast<std::size_t>(head.weight.size())),
          at::kDouble)
          .view({head.weight.extent(0), head.weight.extent(1)});
  // A convolution of 1 x 1 stores [K, Q, 1, 1].
  std::vector<std::int64_t> stored = attributeAt(module, place.weight).sizes().vec();
  const at::Tensor matrix = place.is_transposed ? weight.t() : weight;
  std::ranges::copy(matrix.sizes(), stored.begin());
  setTensor(module, place.weight, matrix.reshape(stored));
  if (!place.bias.empty()) {
    std::vector<std::int64_t> shape = attributeAt(module, place.bias).sizes().vec();
    shape.back() = static_cast<std::int64_t>(head.bias.size());
    setTensor(module, place.bias, at::tensor(head.bias, at::kDouble).view(shape));
  }
  // Saved to memory, because torch would store a file name in the archive.
  std::ostringstream bytes;
  module.save(bytes, {{"metadata.json", metadata}});
  return bytes.str();
}

}  // namespace dubito
