// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace dubito {

/// How a value that crosses the cut of a network (SplitNetwork) grows with the number of items.
/// With it, the value for several concatenated copies of a batch can be derived from the value for
/// one copy.
struct CrossingLayout {
  enum class Kind {
    kFixed,  ///< the same for any number of items
    kCount,  ///< an integer, or a tensor with one integer: slope * items + offset
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

/// Derives the layout from the value for `items` items and the value for the same items twice.
/// nullopt if `twice` cannot be derived from `once`.
[[nodiscard]] std::optional<CrossingLayout> findLayout(const c10::IValue& once,
                                                       const c10::IValue& twice,
                                                       std::int64_t items);

/// Whether the value for another batch of `items` items has the same layout.
[[nodiscard]] bool hasLayout(const CrossingLayout& layout, const c10::IValue& value,
                             std::int64_t items);

/// The value for `times` copies of the batch. Tensors and lists are copied if `copy` is set or if
/// they grow.
[[nodiscard]] c10::IValue repeatItems(const CrossingLayout& layout, const c10::IValue& value,
                                      std::int64_t items, std::int64_t times, bool copy);

/// Bytes of the tensors in `value` that grow with the number of items, for one copy of the batch.
[[nodiscard]] std::int64_t bytesOf(const CrossingLayout& layout, const c10::IValue& value);

}  // namespace dubito
