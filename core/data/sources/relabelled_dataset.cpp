// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sources/relabelled_dataset.h"

#include <stdexcept>

namespace dubito {

RelabelledDataset::RelabelledDataset(DatasetPtr base, std::vector<std::int64_t> labels,
                                     DatasetInfo info)
    : WrappedDataset(std::move(base), std::move(info)), labels_(std::move(labels)) {
  if (static_cast<std::int64_t>(labels_.size()) != size()) {
    throw std::invalid_argument("RelabelledDataset: one label per item is needed");
  }
}

}  // namespace dubito
