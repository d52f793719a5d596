// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace dubito {

/// How a value that crosses the cut of a network grows with the number of items. The value for
/// several concatenated copies of a batch then follows from the value for one.
struct CrossingLayout {
  enum class Kind {
    kFixed,  ///< the same for any number of items
    kCount,  ///< an integer (or a tensor of one): slope * items + offset
    kRows,   ///< a tensor with an axis of [outer, items, inner] elements, flattened
    kParts,  ///< a list or a tuple
  };
  Kind kind = Kind::kFixed;
  std::int64_t slope = 0;
  std::int64_t offset = 0;
  std::int64_t axis = 0;
  std::int64_t outer = 1;
  std::int64_t inner = 1;
  std::vector<CrossingLayout> parts = {};
};

/// Compares the value for `items` items with the value for the same items twice. Empty if the
/// second does not follow from the first.
[[nodiscard]] std::optional<CrossingLayout> findLayout(const c10::IValue& once,
                                                       const c10::IValue& twice,
                                                       std::int64_t items);

/// Whether the value for another batch of `items` items has the same layout.
[[nodiscard]] bool hasLayout(const CrossingLayout& layout, const c10::IValue& value,
                             std::int64_t items);

/// The value for `times` copies of the batch. Tensors and lists are copied if `copy` or if they
/// grow.
[[nodiscard]] c10::IValue repeatItems(const CrossingLayout& layout, const c10::IValue& value,
                                      std::int64_t items, std::int64_t times, bool copy);

/// Bytes of one copy of the batch.
[[nodiscard]] std::int64_t bytesOf(const CrossingLayout& layout, const c10::IValue& value);

}  // namespace dubito
