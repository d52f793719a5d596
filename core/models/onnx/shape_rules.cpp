// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/models/onnx/shape_rules_torch.h"

namespace dubito {
namespace {

std::int64_t broadcastSize(std::int64_t a, std::int64_t b) {
  if (a == 1) {
    return b;
  }
  if (b == 1) {
    return a;
  }
  return a == kUnknownSize ? b : a;
}

}  // namespace

KnownShape broadcastShape(const KnownShape& a, const KnownShape& b) {
  if (!a || !b) {
    return std::nullopt;
  }
  const OnnxShape& longer = a->size() >= b->size() ? *a : *b;
  const OnnxShape& shorter = a->size() >= b->size() ? *b : *a;
  OnnxShape shape = longer;
  const std::size_t offset = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    shape[offset + i] = broadcastSize(longer[offset + i], shorter[i]);
  }
  return shape;
}

KnownShape productShape(const KnownShape& a, const KnownShape& b) {
  if (!a || !b || a->empty() || b->empty()) {
    return std::nullopt;
  }
  const auto outer = [](const OnnxShape& shape) {
    return shape.size() < 2 ? OnnxShape() : OnnxShape(shape.begin(), shape.end() - 2);
  };
  OnnxShape shape = *broadcastShape(outer(*a), outer(*b));
  if (a->size() > 1) {
    shape.push_back((*a)[a->size() - 2]);
  }
  if (b->size() > 1) {
    shape.push_back(b->back());
  }
  return shape;
}

KnownShape reducedShape(const KnownShape& shape, const std::vector<std::int64_t>& axes,
                        bool keeps_axes) {
  if (!shape) {
    return std::nullopt;
  }
  const auto rank = static_cast<std::int64_t>(shape->size());
  const auto isReduced = [&](std::int64_t axis) {
    return axes.empty() || std::ranges::any_of(axes, [&](std::int64_t reduced) {
             return (reduced < 0 ? reduced + rank : reduced) == axis;
           });
  };
  OnnxShape reduced;
  for (std::int64_t axis = 0; axis < rank; ++axis) {
    if (!isReduced(axis)) {
      reduced.push_back((*shape)[static_cast<std::size_t>(axis)]);
    } else if (keeps_axes) {
      reduced.push_back(1);
    }
  }
  return reduced;
}

KnownShape spatialShape(const KnownShape& input, std::int64_t channels) {
  if (!input || input->size() < 2) {
    return std::nullopt;
  }
  OnnxShape shape(input->size(), kUnknownSize);
  shape[0] = (*input)[0];
  shape[1] = channels;
  return shape;
}

std::int64_t productOfSizes(const OnnxShape& sizes) {
  std::int64_t product = 1;
  for (const std::int64_t size : sizes) {
    if (size < 0 || __builtin_mul_overflow(product, size, &product)) {
      return -1;
    }
  }
  return product;
}

OnnxShape knownSizes(const std::vector<ProgramInteger>& sizes, const KnownShape& input) {
  OnnxShape shape;
  std::int64_t others = 1;
  std::size_t open = 0;
  for (const ProgramInteger& size : sizes) {
    const std::int64_t known = size.known.value_or(kUnknownSize);
    shape.push_back(known >= 0 ? known : kUnknownSize);
    open += known < 0 ? 1 : 0;
    if (known > 0 && __builtin_mul_overflow(others, known, &others)) {
      others = 0;
    }
  }
  const std::int64_t count = input ? productOfSizes(*input) : -1;
  if (open == 1 && count >= 0 && others > 0) {
    std::ranges::replace(shape, kUnknownSize, count / others);
  }
  return shape;
}

std::string sizesText(const std::vector<ProgramInteger>& sizes) {
  std::string text;
  for (const ProgramInteger& size : sizes) {
    text += (text.empty() ? "" : ", ") + size.text;
  }
  return "[" + text + "]";
}

}  // namespace dubito
