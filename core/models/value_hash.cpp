// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/core/Tensor.h>
#include <ATen/core/class_type.h>
#include <ATen/core/function.h>
#include <ATen/core/ivalue_inl.h>
#include <ATen/core/jit_type.h>
#include <ATen/ops/q_per_channel_scales.h>
#include <ATen/ops/q_per_channel_zero_points.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "core/models/value_hash_torch.h"

namespace dubito {
namespace {

/// What an object is saved as; nothing for those that are saved field by field.
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

/// The parts of a container; empty for others.
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

}  // namespace

bool holdsTensors(const c10::IValue& value) {
  if (value.isTensor() || value.isCustomClass()) {
    return true;
  }
  return std::ranges::any_of(partsOf(value), holdsTensors);
}

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

}  // namespace dubito
