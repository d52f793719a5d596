// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Functions.h>
#include <ATen/TensorOperators.h>

#include <algorithm>

#include "core/network/crossing_torch.h"

namespace dubito {
namespace {

using Kind = CrossingLayout::Kind;

// Passes of different size differ by rounding; wrongly repeated rows differ by far more.
constexpr double kRounding = 1e-4;

bool isCount(const c10::IValue& value) {
  return value.isInt() ||
         (value.isTensor() && value.toTensor().defined() && value.toTensor().dim() == 0 &&
          value.toTensor().scalar_type() == at::kLong);
}

std::int64_t countOf(const c10::IValue& value) {
  return value.isInt() ? value.toInt() : value.toTensor().item().toLong();
}

bool hasParts(const c10::IValue& value) {
  return value.isTuple() || value.isList();
}

std::vector<c10::IValue> partsOf(const c10::IValue& value) {
  if (value.isTuple()) {
    const auto& elements = value.toTupleRef().elements();
    return std::vector<c10::IValue>(elements.begin(), elements.end());
  }
  const c10::ArrayRef<c10::IValue> elements = value.toListRef();
  return std::vector<c10::IValue>(elements.begin(), elements.end());
}

c10::IValue fromParts(const c10::IValue& like, std::vector<c10::IValue> parts) {
  if (like.isTuple()) {
    return c10::ivalue::Tuple::create(std::move(parts));
  }
  c10::impl::GenericList list(like.toList().elementType());
  for (c10::IValue& part : parts) {
    list.push_back(std::move(part));
  }
  return list;
}

at::Tensor repeatRows(const CrossingLayout& layout, const at::Tensor& rows, std::int64_t times) {
  const at::Tensor apart =
      rows.unflatten(layout.axis, {layout.outer, rows.size(layout.axis) / layout.outer});
  std::vector<std::int64_t> repeats(static_cast<std::size_t>(apart.dim()), 1);
  repeats.at(static_cast<std::size_t>(layout.axis) + 1) = times;
  return apart.repeat(repeats).flatten(layout.axis, layout.axis + 1);
}

bool same(const at::Tensor& a, const at::Tensor& b) {
  if (!a.is_floating_point()) {
    return a.equal(b);
  }
  const at::Tensor finite = at::where(at::isfinite(a), a, at::zeros_like(a));
  const double largest = a.numel() == 0 ? 0.0 : at::abs(finite).max().item().toDouble();
  return at::allclose(a, b, kRounding, kRounding * largest, /*equal_nan=*/true);
}

std::optional<CrossingLayout> findCount(std::int64_t once, std::int64_t twice, std::int64_t items) {
  if (once == twice) {
    return CrossingLayout();
  }
  if ((twice - once) % items != 0) {
    return std::nullopt;
  }
  CrossingLayout layout{.kind = Kind::kCount, .slope = (twice - once) / items};
  layout.offset = once - layout.slope * items;
  return layout;
}

std::optional<CrossingLayout> findRows(const at::Tensor& once, const at::Tensor& twice,
                                       std::int64_t items) {
  if (once.dim() != twice.dim() || once.scalar_type() != twice.scalar_type()) {
    return std::nullopt;
  }
  std::optional<std::int64_t> axis;
  for (std::int64_t i = 0; i < once.dim(); ++i) {
    if (once.size(i) == twice.size(i)) {
      continue;
    }
    if (axis || once.size(i) % items != 0 || twice.size(i) != 2 * once.size(i)) {
      return std::nullopt;
    }
    axis = i;
  }
  if (!axis) {
    return CrossingLayout();
  }
  const std::int64_t elements = once.size(*axis) / items;
  for (std::int64_t outer = 1; outer <= elements; ++outer) {
    CrossingLayout layout{.kind = Kind::kRows, .axis = *axis, .outer = outer};
    layout.inner = elements / outer;
    if (elements % outer == 0 && same(repeatRows(layout, once, 2), twice)) {
      return layout;
    }
  }
  return std::nullopt;
}

std::optional<CrossingLayout> findParts(const std::vector<c10::IValue>& once,
                                        const std::vector<c10::IValue>& twice, std::int64_t items) {
  if (once.size() != twice.size()) {
    return std::nullopt;
  }
  CrossingLayout layout{.kind = Kind::kParts};
  for (std::size_t i = 0; i < once.size(); ++i) {
    auto part = findLayout(once[i], twice[i], items);
    if (!part) {
      return std::nullopt;
    }
    layout.parts.push_back(*std::move(part));
  }
  return layout;
}

}  // namespace

std::optional<CrossingLayout> findLayout(const c10::IValue& once, const c10::IValue& twice,
                                         std::int64_t items) {
  if (isCount(once) && isCount(twice)) {
    return findCount(countOf(once), countOf(twice), items);
  }
  if (once.isTensor() && twice.isTensor()) {
    const bool both = once.toTensor().defined() && twice.toTensor().defined();
    return both ? findRows(once.toTensor(), twice.toTensor(), items) : std::nullopt;
  }
  if (hasParts(once) && hasParts(twice)) {
    return findParts(partsOf(once), partsOf(twice), items);
  }
  const bool plain = once.isNone() || once.isScalar() || once.isString() || once.isDevice();
  return plain && once == twice ? std::optional<CrossingLayout>(CrossingLayout()) : std::nullopt;
}

bool hasLayout(const CrossingLayout& layout, const c10::IValue& value, std::int64_t items) {
  switch (layout.kind) {
    case Kind::kFixed:
      return true;
    case Kind::kCount:
      return isCount(value) && countOf(value) == layout.slope * items + layout.offset;
    case Kind::kRows:
      return value.isTensor() && value.toTensor().dim() > layout.axis &&
             value.toTensor().size(layout.axis) == layout.outer * items * layout.inner;
    case Kind::kParts:
      break;
  }
  if (!hasParts(value)) {
    return false;
  }
  const std::vector<c10::IValue> parts = partsOf(value);
  bool fits = parts.size() == layout.parts.size();
  for (std::size_t i = 0; i < parts.size() && fits; ++i) {
    fits = hasLayout(layout.parts[i], parts[i], items);
  }
  return fits;
}

c10::IValue repeatItems(const CrossingLayout& layout, const c10::IValue& value, std::int64_t items,
                        std::int64_t times, bool copy) {
  if (hasParts(value) && (copy || layout.kind == Kind::kParts)) {
    std::vector<c10::IValue> parts = partsOf(value);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      parts[i] = repeatItems(layout.kind == Kind::kParts ? layout.parts.at(i) : layout, parts[i],
                             items, times, copy);
    }
    return fromParts(value, std::move(parts));
  }
  if (layout.kind == Kind::kCount && times > 1) {
    const std::int64_t count = layout.slope * items * times + layout.offset;
    return value.isInt() ? c10::IValue(count) : c10::IValue(at::full_like(value.toTensor(), count));
  }
  if (layout.kind == Kind::kRows && times > 1) {
    return repeatRows(layout, value.toTensor(), times);
  }
  return copy && value.isTensor() && value.toTensor().defined() ? value.toTensor().clone() : value;
}

std::int64_t bytesOf(const CrossingLayout& layout, const c10::IValue& value) {
  if (layout.kind == Kind::kRows) {
    return static_cast<std::int64_t>(value.toTensor().nbytes());
  }
  std::int64_t bytes = 0;
  if (layout.kind == Kind::kParts) {
    const std::vector<c10::IValue> parts = partsOf(value);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      bytes += bytesOf(layout.parts.at(i), parts[i]);
    }
  }
  return bytes;
}

}  // namespace dubito
