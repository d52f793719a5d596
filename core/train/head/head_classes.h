// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/data/items/dataset.h"

namespace dubito {

/// The classes of a new head and the labels of a dataset in them.
struct HeadClasses {
  std::vector<std::string> names;    ///< empty: numbers only
  std::int64_t count = 0;            ///< outputs of the head
  std::vector<std::int64_t> labels;  ///< per item of the dataset; -1: unknown
  std::vector<std::string> added;    ///< names of classes that the network does not have
};

/// The classes of a network, `network_names` (empty: numbers only) of `network_count` outputs,
/// followed by those that only the dataset has, which are found by name (classByName); if either
/// has only numbers, these are assumed to agree. With `of_dataset_only`, those of the dataset.
/// Errors: no labels, labels of a single class, a label without a name.
[[nodiscard]] Expected<HeadClasses> headClasses(const Dataset& dataset,
                                                const std::vector<std::string>& network_names,
                                                std::int64_t network_count, bool of_dataset_only);

}  // namespace dubito
