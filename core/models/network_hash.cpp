// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/network_hash.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/class_type.h>
#include <ATen/core/function.h>
#include <ATen/core/ivalue_inl.h>
#include <ATen/core/jit_type.h>
#include <ATen/ops/q_per_channel_scales.h>
#include <ATen/ops/q_per_channel_zero_points.h>
#include <fmt/format.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/kernels/number_hash.h"
#include "core/models/model_torch.h"

namespace dubito {
namespace {

/// Erases every `mark` together with the digits of `base` that follow it.
void eraseNumbered(std::string& text, std::string_view mark, int base = 10) {
  const auto isDigit = [base](char letter) {
    const auto code = static_cast<unsigned char>(letter);
    return (base == 16 ? std::isxdigit(code) : std::isdigit(code)) != 0;
  };
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    std::size_t end = at + mark.size();
    while (end < text.size() && isDigit(text[end])) {
      ++end;
    }
    text.erase(at, end - at);
  }
}

/// The text of a graph without the parts that differ each time the file is opened: the numbers of
/// types whose name another file has used ("__torch__.___torch_mangle_3.Net") and of warnings, and
/// the addresses that stand for packed weights ("object(0x55d0)").
std::string withoutSerialNumbers(std::string graph) {
  eraseNumbered(graph, ".___torch_mangle_");
  eraseNumbered(graph, "warn_id=");
  eraseNumbered(graph, "object(0x", 16);
  return graph;
}

/// Whether the text of a graph shows every bit of a constant tensor. It shows up to ten elements,
/// and six digits of a real number.
bool isShownInFull(const at::Tensor& tensor) {
  constexpr std::int64_t kMaxShown = 10;
  if (tensor.is_quantized() || tensor.is_complex() || tensor.numel() > kMaxShown) {
    return false;
  }
  if (!tensor.is_floating_point()) {
    return true;
  }
  if (tensor.numel() != 1) {
    return false;
  }
  const double value = tensor.reshape({}).item().toDouble();
  const std::string shown = fmt::format("{:g}", value);
  double read = 0.0;
  std::from_chars(shown.data(), shown.data() + shown.size(), read);
  return tensor.scalar_type() == at::kFloat ? static_cast<float>(read) == static_cast<float>(value)
                                            : read == value;
}

/// The saved state of an object; nothing for objects that are saved field by field.
std::optional<c10::IValue> savedState(const c10::IValue& object) {
  torch::jit::Function* const save = object.toObject()->type()->findMethod("__getstate__");
  return save == nullptr ? std::nullopt : std::optional<c10::IValue>((*save)({object}));
}

void addTensor(const at::Tensor& tensor, NumberHash& hash) {
  if (!tensor.defined()) {
    hash.add(std::string("undefined"));
    return;
  }
  hash.add(std::string(c10::toString(tensor.scalar_type())));
  hash.add(static_cast<std::uint64_t>(tensor.dim()));
  for (const std::int64_t size : tensor.sizes()) {
    hash.add(static_cast<std::uint64_t>(size));
  }
  const at::Tensor values = tensor.detach().cpu().contiguous();
  const std::size_t size = values.nbytes();
  const auto* const bytes = static_cast<const char*>(values.const_data_ptr());
  for (std::size_t offset = 0; offset < size; offset += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + offset, std::min(sizeof(word), size - offset));
    hash.add(word);
  }
  if (!tensor.is_quantized()) {
    return;
  }
  if (tensor.qscheme() == at::kPerTensorAffine || tensor.qscheme() == at::kPerTensorSymmetric) {
    hash.add(std::bit_cast<std::uint64_t>(tensor.q_scale()));
    hash.add(static_cast<std::uint64_t>(tensor.q_zero_point()));
  } else {
    addTensor(at::q_per_channel_scales(tensor), hash);
    addTensor(at::q_per_channel_zero_points(tensor), hash);
  }
}

/// The elements of a container; empty for other values.
std::vector<c10::IValue> partsOf(const c10::IValue& value) {
  std::vector<c10::IValue> parts;
  if (value.isList()) {
    const c10::List<c10::IValue> list = value.toList();
    parts.assign(list.begin(), list.end());
  } else if (value.isTuple()) {
    parts = value.toTuple()->elements().vec();
  } else if (value.isGenericDict()) {
    for (const auto& entry : value.toGenericDict()) {
      parts.push_back(entry.key());
      parts.push_back(entry.value());
    }
  } else if (value.isObject()) {
    parts = value.toObject()->slots();
  }
  return parts;
}

/// Whether a value is, or contains, a tensor: lists, tuples, dictionaries and objects are searched;
/// packed weights count as tensors.
bool containsTensors(const c10::IValue& value) {
  if (value.isTensor() || value.isCustomClass()) {
    return true;
  }
  return std::ranges::any_of(partsOf(value), containsTensors);
}

/// Adds every bit of a value. Packed weights are added in their saved form, which does not depend
/// on how the machine packs them.
void addToHash(const c10::IValue& value, NumberHash& hash) {
  if (value.isTensor()) {
    addTensor(value.toTensor(), hash);
    return;
  }
  if (value.isObject()) {
    if (const auto state = savedState(value)) {
      addToHash(*state, hash);
      return;
    }
  }
  if (value.isList() || value.isTuple() || value.isGenericDict() || value.isObject()) {
    const std::vector<c10::IValue> parts = partsOf(value);
    hash.add(static_cast<std::uint64_t>(parts.size()));
    for (const c10::IValue& part : parts) {
      addToHash(part, hash);
    }
    return;
  }
  std::ostringstream text;
  text.precision(17);
  text << value;
  hash.add(text.str());
}

/// Hash of the values that the text of a graph leaves out.
class HiddenValues {
 public:
  explicit HiddenValues(const torch::jit::Module& module) : module_(module) {
    for (const at::Tensor& parameter : module.parameters()) {
      state_.insert(parameter.const_data_ptr());
    }
    for (const at::Tensor& buffer : module.buffers()) {
      state_.insert(buffer.const_data_ptr());
    }
  }

  /// Nothing if the text is complete.
  [[nodiscard]] std::optional<std::string> hex() const {
    return is_empty_ ? std::nullopt : std::optional<std::string>(hash_.hex());
  }

  void add(const torch::jit::Block& block) {
    for (const torch::jit::Node* const node : block.nodes()) {
      addNode(node);
      for (const torch::jit::Block* const inner : node->blocks()) {
        add(*inner);
      }
    }
  }

 private:
  void addNode(const torch::jit::Node* node) {
    if (node->kind() == c10::prim::Constant && node->outputs().size() == 1) {
      addValue(node->output(), /*is_attribute=*/false);
    } else if (node->kind() == c10::prim::GetAttr) {
      addValue(node->output(), /*is_attribute=*/true);
    } else if (node->kind() == c10::prim::CallMethod) {
      addEveryMethod();
    } else if (node->kind() == c10::prim::CallFunction) {
      addFunction(node->input(0));
    }
    if (node->hasAttribute(c10::attr::Subgraph)) {
      add(*node->g(c10::attr::Subgraph)->block());
    }
  }

  /// Whether a value is, or lists, parameters and buffers, which are already in the hash of the
  /// state.
  [[nodiscard]] bool isInState(const c10::IValue& value) const {
    if (value.isTensor()) {
      return value.toTensor().defined() && state_.count(value.toTensor().const_data_ptr()) != 0;
    }
    if (!value.isTensorList()) {
      return false;
    }
    const std::vector<at::Tensor> tensors = value.toTensorVector();
    return std::ranges::all_of(tensors, [this](const at::Tensor& t) { return isInState(t); });
  }

  void addValue(const torch::jit::Value* value, bool is_attribute) {
    const c10::TypeKind kind = value->type()->kind();
    const bool is_module = value->type()->is_module() || kind == c10::TypeKind::FunctionType;
    const auto known = is_module ? std::nullopt : resolveValue(module_, value);
    if (!known || (is_attribute && isInState(*known))) {
      return;
    }
    const bool is_shown = !is_attribute && known->isTensor() && isShownInFull(known->toTensor());
    if (!is_shown && containsTensors(*known)) {
      addToHash(*known, hash_);
      is_empty_ = false;
    }
  }

  void addFunction(const torch::jit::Value* callee) {
    const auto type = callee->type()->cast<c10::FunctionType>();
    torch::jit::GraphFunction* const function =
        type ? torch::jit::tryToGraphFunction(*type->function()) : nullptr;
    if (function != nullptr) {
      addGraph(*function);
    }
  }

  /// A call that cannot be inlined (of an interface) may run a method of any submodule.
  void addEveryMethod() {
    if (std::exchange(has_methods_, true)) {
      return;
    }
    for (const torch::jit::Module& submodule : module_.modules()) {
      for (const torch::jit::Method& method : submodule.get_methods()) {
        if (auto* const function = torch::jit::tryToGraphFunction(method.function())) {
          addGraph(*function);
        }
      }
    }
  }

  void addGraph(torch::jit::GraphFunction& function) {
    if (seen_.insert(&function).second) {
      const auto graph = function.graph();
      hash_.add(withoutSerialNumbers(graph->toString(/*print_source_locations=*/false)));
      is_empty_ = false;
      add(*graph->block());
    }
  }

  const torch::jit::Module& module_;
  std::set<const void*> state_;
  NumberHash hash_;
  bool is_empty_ = true;
  std::set<const torch::jit::Function*> seen_;
  bool has_methods_ = false;
};

}  // namespace

NetworkHashes computeNetworkHashes(std::uint64_t state, const torch::jit::Module& module,
                                   const torch::jit::Graph& prepared) {
  HiddenValues values(module);
  values.add(*prepared.block());
  NumberHash network;
  NumberHash weights;
  network.add(state);
  weights.add(state);
  network.add(withoutSerialNumbers(prepared.toString(/*print_source_locations=*/false)));
  // Networks fully described by their text and state keep the hash of earlier versions.
  if (const auto hidden = values.hex()) {
    network.add(*hidden);
    weights.add(*hidden);
  }
  return {network.hex(), weights.hex()};
}

const std::string& networkHash(const Model& model) {
  return model.impl().hashes.network;
}

const std::string& weightsHash(const Model& model) {
  return model.impl().hashes.weights;
}

}  // namespace dubito
