// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/data/items/item_files.h"
#include "core/data/items/wrapped_dataset.h"

namespace dubito {

/// The items of another dataset with other labels and another info; everything else is theirs.
class RelabelledDataset : public WrappedDataset, public ItemFiles {
 public:
  /// `labels` has one number per item, -1 if unknown. Throws std::invalid_argument for another
  /// length.
  RelabelledDataset(DatasetPtr base, std::vector<std::int64_t> labels, DatasetInfo info);

  [[nodiscard]] std::span<const std::int64_t> labels() const override { return labels_; }
  [[nodiscard]] Expected<Sample> read(std::int64_t index) const override {
    return base().read(index);
  }
  [[nodiscard]] Expected<ReducedSample> readReduced(std::int64_t index,
                                                    std::int64_t min_side) const override {
    return dubito::readReduced(base(), index, min_side);
  }
  [[nodiscard]] std::string itemFile(std::int64_t index) const override {
    return dubito::itemFile(base(), index);
  }

 private:
  std::vector<std::int64_t> labels_;
};

}  // namespace dubito
