// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/numbered_dataset.h"

#include <fmt/format.h>

#include <numeric>
#include <utility>

namespace dubito {

NumberedDataset::NumberedDataset(DatasetInfo info, std::vector<std::int64_t> labels)
    : info_(std::move(info)), labels_(std::move(labels)), ids_(labels_.size()) {
  std::iota(ids_.begin(), ids_.end(), std::int64_t{0});
}

std::string NumberedDataset::itemName(std::int64_t index) const {
  return fmt::format("#{}", ids_.at(static_cast<std::size_t>(index)));
}

}  // namespace dubito
