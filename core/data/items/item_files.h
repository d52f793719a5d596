// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/data/items/dataset.h"

namespace dubito {

/// An item that was read to be looked at.
struct ReducedSample {
  Sample sample;
  /// Whether the sample is what Dataset::read() returns; else it has fewer pixels.
  bool whole = true;
};

/// What a dataset can do in addition to Dataset if its items are image files.
class ItemFiles {
 public:
  virtual ~ItemFiles() = default;
  /// As the functions of the same names.
  [[nodiscard]] virtual Expected<ReducedSample> readReduced(std::int64_t index,
                                                            std::int64_t min_side) const = 0;
  [[nodiscard]] virtual std::string itemFile(std::int64_t index) const = 0;
};

/// Decodes item `index` for a view of `min_side` pixels: an image may have fewer pixels than
/// stored, but its longer side has at least `min_side` unless the stored one is shorter. It shows
/// the same, in the same orientation. Datasets without item files are read whole. Errors as for
/// Dataset::read().
[[nodiscard]] Expected<ReducedSample> readReduced(const Dataset& dataset, std::int64_t index,
                                                  std::int64_t min_side);

/// Path of the file that item `index` is decoded from and that contains nothing else; empty if
/// there is none.
[[nodiscard]] std::string itemFile(const Dataset& dataset, std::int64_t index);

/// The folder that the names of the items are relative to; empty if the items are no files.
[[nodiscard]] std::string itemFolder(const Dataset& dataset);

}  // namespace dubito
