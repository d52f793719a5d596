// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/data/items/dataset.h"

namespace dubito {

/// The smallest and the largest of some values.
struct ValueRange {
  double low = 0.0;
  double high = 0.0;
};

/// What a dataset can do in addition to Dataset if it knows the range of its values.
class StoredRange {
 public:
  virtual ~StoredRange() = default;
  /// As the function of the same name.
  [[nodiscard]] virtual std::optional<ValueRange> storedRange() const = 0;
};

/// Range of the finite values of all images that are stored as numbers other than bytes, selected
/// or not; nothing for bytes and vectors, or if the dataset does not know.
[[nodiscard]] std::optional<ValueRange> storedRange(const Dataset& dataset);

}  // namespace dubito
